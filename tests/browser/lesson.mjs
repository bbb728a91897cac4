// lesson.mjs -- the lesson page in headless Chromium: node lesson.mjs REDBLUE FOLDER.  Pages and moves are written in FOLDER.
import { chromium } from 'playwright-core'
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [redblue, folder] = process.argv.slice(2)
let passed = 0, failed = 0
const check = (good, what) => { if (good) passed++; else { failed++; console.log('FAILED: ' + what) } }
const same = (got, wanted, what) => check(String(got) === String(wanted), `${what}: ${got}, wanted ${wanted}`)
const ask = (...args) => execFileSync(redblue, args, { cwd: folder, encoding: 'utf8' })
const json = (...args) => JSON.parse(ask(...args, '--json'))

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync)
const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'] })

let name = 0
async function open(...args) {
  const file = join(folder, 'page' + ++name + '.html'), page = await browser.newPage()
  ask('lesson', ...args, '-o', file)
  page.setDefaultTimeout(20000)
  page.on('pageerror', e => check(false, 'the page of ' + args[0] + ' fails: ' + e.message))
  await page.goto(pathToFileURL(file).href)
  return page
}
const text = (page, id) => page.textContent('#' + id)
async function counters(page, wanted, what) {
  for (const id of ['loads', 'stores', 'io', 'peak']) same(await text(page, id), wanted[id], what + ', ' + id)
}
const idOf = (page, vertex) => page.evaluate(v => index.get(v), vertex)
const press = async (page, ...list) => { for (const k of list) await page.keyboard.press(k) }
// One move by hand: "l A[0,0]" picks A[0,0] on the board and presses l.
async function move(page, what) {
  const [key, vertex] = what.split(' ')
  await page.click(`#board [data-v="${await idOf(page, vertex)}"]`)
  await page.keyboard.press(key)
}

async function watching() {
  const spec = ['attention:n=4,d=2', 'attenio', '-M', '12'], page = await open(...spec), wanted = json('verify', ...spec)
  await page.click('#end')
  await counters(page, wanted, 'played to the end')
  check((await text(page, 'say')).includes('every output is blue'), 'the end is said')
  for (const a of wanted.arrays) {
    const row = await page.$$eval('#traffic tbody tr', (rows, n) => rows.map(r => [...r.cells].map(c => c.textContent)).find(r => r[0] === n), a.name)
    same(row, [a.name, a.loads, a.stores], 'traffic of ' + a.name)
  }
  await page.click('#first')
  await counters(page, { loads: 0, stores: 0, io: 0, peak: 0 }, 'rewound')
  const moves = ask('moves', ...spec).trim().split('\n')
  await page.click('#step')
  check((await text(page, 'say')).startsWith(moves[0]), 'the first move is ' + moves[0])
  await press(page, 'End')
  await counters(page, wanted, 'the End key')
  await press(page, 'ArrowLeft', 'ArrowRight')
  await counters(page, wanted, 'back and on by keys')
  await press(page, 'Home')
  await page.selectOption('#speed', '600')
  await page.click('#run')
  await page.waitForFunction(() => document.getElementById('say').textContent.includes('The end'))
  await counters(page, wanted, 'run')
  await page.close()
}

async function refusing() {
  const rules = [
    ['already red', ['l A[0,0]', 'l A[0,0]']], ['not blue', ['l C[0,0,0]']], ['memory', ['l A[0,0]', 'l A[0,1]', 'l B[0,0]', 'l B[1,0]']],
    ['not red', ['s C[0,0,0]']], ['already blue', ['l A[0,0]', 's A[0,0]']], ['not red', ['d A[0,0]']], ['not blue', ['e C[0,0,0]']],
    ['input', ['c A[0,0]']], ['already red', ['l A[0,0]', 'l B[0,0]', 'c C[0,0,0]', 'c C[0,0,0]']],
    ['recompute', ['l A[0,0]', 'l B[0,0]', 'c C[0,0,0]', 'd C[0,0,0]', 'c C[0,0,0]']], ['predecessor', ['l A[0,0]', 'c C[0,0,0]']],
    ['memory', ['l A[0,0]', 'l B[0,0]', 'l A[0,1]', 'c C[0,0,0]']]]
  const page = await open('matmul:m=1,n=1,k=2', '-M', '3', '--one-shot')
  for (const [rule, moves] of rules) {
    await page.click('#tab-hand')
    await page.click('#restart')
    for (const m of moves) await move(page, m)
    check((await text(page, 'say')).startsWith(rule + ':'), `${moves.join(', ')} is refused by rule ${rule}, not: ${await text(page, 'say')}`)
    same((await page.inputValue('#text')).split('\n').filter(l => /^[a-z]/.test(l)).length, moves.length - 1, 'moves kept after ' + rule)
  }
  await page.close()
}

async function playing() {
  const spec = ['matmul:m=1,n=1,k=2', '-M', '4'], page = await open(...spec)
  const moves = ['l A[0,0]', 'l B[0,0]', 'c C[0,0,0]', 'd A[0,0]', 'd B[0,0]', 'l A[0,1]', 'l B[1,0]', 'c C[0,0,1]', 's C[0,0,1]']
  for (const m of moves) await move(page, m)
  await counters(page, { loads: 4, stores: 1, io: 5, peak: 4 }, 'played by hand')
  check((await text(page, 'say')).includes('the optimum'), 'compared with the optimum: ' + await text(page, 'say'))
  await press(page, 'u', 'u', 'u')
  await counters(page, { loads: 3, stores: 0, io: 3, peak: 3 }, 'three moves undone')
  for (let i = 0; i < 3; i++) await page.click('#redo')
  const out = await page.inputValue('#text'), file = join(folder, 'mine.sched')
  writeFileSync(file, out)
  await counters(page, json('verify', spec[0], file, '-M', '4'), 'what is exported verifies')
  await page.click('#restart')
  await page.fill('#text', out)
  await page.click('#import')
  await counters(page, { loads: 4, stores: 1, io: 5, peak: 4 }, 'imported')
  same(await page.inputValue('#text'), out, 'export of the import')
  await page.fill('#text', 'load A[0,0]\nload A[9,9]\n')
  await page.click('#import')
  check((await text(page, 'say')).includes('line 2'), 'a bad import names its line')
  await page.close()
}

async function keyboardOnly() {
  const page = await open('matmul:m=1,n=1,k=2', '-M', '4')
  for (let i = 0; i < 40 && !await page.evaluate(() => document.activeElement.dataset.v !== undefined); i++) await page.keyboard.press('Tab')
  check(await page.evaluate(() => document.activeElement.dataset.v !== undefined), 'Tab reaches the board')
  if (await page.evaluate(() => mode !== 'hand')) await page.keyboard.press('Enter')
  await press(page, 'l', 'ArrowRight', 'l')
  same(await text(page, 'loads'), 2, 'two loads by keys alone')
  await press(page, 'u')
  same(await text(page, 'loads'), 1, 'undo by a key')
  await page.close()
}

async function bounds() {
  const spec = ['matmul:m=4,n=4,k=4', 'resident', '-M', '8'], page = await open(...spec), wanted = json('bound', spec[0], '-M', '8')
  check((await text(page, 'goal')).includes('bound ' + wanted.best.value + ' (' + wanted.best.name + ')'), 'the bound is shown: ' + await text(page, 'goal'))
  await page.click('#tab-proof')
  check((await text(page, 'argument')).includes(String(wanted.best.value)), 'the argument names the bound')
  const rows = await page.$$eval('#segments tbody tr', list => list.map(r => [...r.cells].map(c => Number(c.textContent))))
  check(rows.length > 1, 'the run is cut into segments')
  // columns: segment, moves, loads, births, red at start, D, words, X, steps, h
  check(rows.every(r => r[6] <= r[7] && r[8] <= r[9]), 'in each segment the words are at most X and the steps at most h(X)')
  same(rows.reduce((s, r) => s + r[2], 0), json('verify', ...spec).loads, 'the segments hold every load')
  same(rows.reduce((s, r) => s + r[8], 0), 64, 'and every step')
  await page.close()
}

async function hostile() {
  writeFileSync(join(folder, 'hostile.dot'), 'digraph g { "</script><script>window.harmed=1</script>" -> "a\\"b\'&<img src=x onerror=window.harmed=1>"; "x" -> "a\\"b\'&<img src=x onerror=window.harmed=1>"; }\n')
  const page = await open('hostile.dot', '-M', '3')
  await page.click('#board [data-v="0"]')
  check((await text(page, 'picked')).includes('</script><script>window.harmed=1</script>'), 'the name is shown as it is')
  await press(page, 'l')
  same(await text(page, 'loads'), 1, 'the page works')
  check(await page.evaluate(() => window.harmed === undefined), 'a name runs as a program')
  await page.close()
}

for (const part of [watching, refusing, playing, keyboardOnly, bounds, hostile])
  await part().catch(e => check(false, part.name + ': ' + e.message))
await browser.close()
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)
