" schedules of redblue; :make FILE with 'makeprg' set to redblue verify jumps to what is wrong
if exists('b:current_syntax') | finish | endif
syntax match schedComment /#.*$/
syntax keyword schedControl schedule param for in by reversed snake if else
syntax keyword schedMove load store compute drop dropping erase
syntax keyword schedFunction lo hi len first last min max isqrt ceil pow binomial
syntax keyword schedConstant M auto
syntax match schedNumber /\<\d\+[KMG]\?\>/
syntax match schedArray /\<\a\w*\ze\s*\[/
highlight default link schedComment Comment
highlight default link schedControl Statement
highlight default link schedMove Operator
highlight default link schedFunction Function
highlight default link schedConstant Constant
highlight default link schedNumber Number
highlight default link schedArray Identifier
setlocal commentstring=#\ %s
setlocal errorformat=redblue:\ %f:%l:%c:\ %m,illegal%*\\s%f:%l:%c:\ %m
let b:current_syntax = 'sched'
