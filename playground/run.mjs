// run.mjs -- the program in WebAssembly under node: node run.mjs redblue.wasm ARGUMENTS.  The same loader as the page's.
import { readFileSync, existsSync, statSync } from 'node:fs'
import { load, run } from './page/program.mjs'
const [file, ...words] = process.argv.slice(2)
const files = Object.fromEntries(words.filter(w => existsSync(w) && statSync(w).isFile()).map(w => [w, readFileSync(w, 'utf8')]))
const r = run(await load(readFileSync(file)), words, files)
process.stdout.write(r.out)
process.stderr.write(r.err)
process.exitCode = r.code
