autocmd BufRead,BufNewFile *.cdag setfiletype cdag
autocmd BufRead,BufNewFile *.sched setfiletype sched
