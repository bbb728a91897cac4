" CDAGs of redblue
if exists('b:current_syntax') | finish | endif
syntax match cdagComment /#.*$/
syntax keyword cdagDeclaration param table input output const
syntax keyword cdagControl if over
syntax keyword cdagFunction min max isqrt ceil pow binomial monomial_parent monomial_variable nonzero_count nonzero_column random_columns running_sum repeated listed_mask largest listed_start listed_row listed_place
syntax match cdagNumber /\<\d\+[KMG]\?\>/
syntax match cdagArray /\<\a\w*\ze\s*\[/
syntax match cdagIteration /\<\a\w*\ze\s*:/
highlight default link cdagComment Comment
highlight default link cdagDeclaration Statement
highlight default link cdagControl Conditional
highlight default link cdagFunction Function
highlight default link cdagNumber Number
highlight default link cdagArray Identifier
highlight default link cdagIteration Type
setlocal commentstring=#\ %s
let b:current_syntax = 'cdag'
