// lesson.mjs -- the lesson page in headless Chromium: node lesson.mjs REDBLUE FOLDER [TEST...].  Pages and moves are written in FOLDER.
import { chromium } from 'playwright-core'
import { execFileSync } from 'node:child_process'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [redblue, folder, ...names] = process.argv.slice(2), only = names.length ? names : null
let passed = 0, failed = 0
const check = (good, what) => { if (good) passed++; else { failed++; console.log('FAILED: ' + what) } }
const same = (got, wanted, what) => check(String(got) === String(wanted), `${what}: ${got}, wanted ${wanted}`)
const run = args => { try { return execFileSync(redblue, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }) } catch (e) { if (e.status !== 1) throw e; return e.stdout } }
const ask = (...args) => run(args)
const json = (...args) => JSON.parse(ask(...args, '--json'))

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync)
const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'] })

let pages = 0
async function tab() {
  const page = await browser.newPage()
  page.setDefaultTimeout(20000)
  page.on('pageerror', e => check(false, 'the page of ' + page.shows + ' fails: ' + e.message))
  page.on('request', r => check(r.url().startsWith('file:') || r.url().startsWith('blob:'), 'the page asks for ' + r.url()))
  return page
}
async function show(page, ...args) {
  const file = join(folder, 'page' + ++pages + '.html')
  ask('lesson', ...args, '-o', file)
  page.bytes = statSync(file).size
  page.shows = args.join(' ')
  await page.goto(pathToFileURL(file).href)
  return page
}
const open = async (...args) => show(await tab(), ...args)
const text = (page, id) => page.textContent('#' + id)
const plain = s => s.replaceAll(',', '')
async function counters(page, wanted, what) {
  for (const id of ['loads', 'stores', 'io', 'peak']) same(plain(await text(page, id)), wanted[id], what + ', ' + id)
}
const idOf = (page, vertex) => page.evaluate(v => index.get(v), vertex)
const press = async (page, ...list) => { for (const k of list) await page.keyboard.press(k) }
// One move by hand: "l A[0,0]" picks A[0,0] on the board and presses l.
async function move(page, what) {
  const [key, vertex] = what.split(' ')
  await page.click(`#board [data-v="${await idOf(page, vertex)}"]`)
  await page.keyboard.press(key)
}

// ---- watching ----
async function watching() {
  const spec = ['attention:n=4,d=2', 'attenio', '-M', '12'], page = await open(...spec), wanted = json('verify', ...spec)
  check(page.bytes < 300000, `the page has ${page.bytes} bytes`)
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
  check((await page.getAttribute('#memory', 'aria-label')).startsWith('fast memory: Q 1, free 11'), 'what is in fast memory: ' + await page.getAttribute('#memory', 'aria-label'))
  await press(page, 'End')
  await counters(page, wanted, 'the End key')
  await press(page, 'ArrowLeft', 'ArrowRight')
  await counters(page, wanted, 'back and on by keys')
  await press(page, 'Home')
  await page.selectOption('#speed', '600')
  await page.click('#run')
  await page.waitForFunction(() => document.getElementById('say').textContent.includes('The end'))
  await counters(page, wanted, 'run')
  await page.evaluate(() => { goTo(100) })
  const line = await page.evaluate(() => [DATA.moves[99][3], [...document.getElementById('code').children].findIndex(e => e.classList.contains('lit')) + 1])
  same(line[1], line[0], 'the lit line')
  // how long a step takes, style and layout included: said, not judged
  const times = await page.evaluate(() => { goTo(0); const t = []; for (let k = 1; k <= plan.length; k++) { const a = performance.now(); goTo(k); document.body.getBoundingClientRect(); t.push(performance.now() - a) } return t.sort((x, y) => x - y) })
  const frames = await page.evaluate(() => new Promise(done => {
    const t = []
    goTo(0)
    document.getElementById('speed').value = '60'
    toggleRun()
    const look = now => { t.push(now); if (running && t.length < 120) requestAnimationFrame(look); else done({ at: reel.at, ms: t[t.length - 1] - t[0], gaps: t.slice(1).map((x, i) => x - t[i]).sort((x, y) => x - y) }) }
    requestAnimationFrame(look)
  }))
  console.log(`run at 60 a second: ${frames.at} moves in ${frames.ms.toFixed(0)} ms, frames ${frames.gaps[frames.gaps.length >> 1].toFixed(1)} ms apart (median)`)
  console.log(`a step of attention n=4, d=2: median ${times[times.length >> 1].toFixed(2)} ms, most ${times[times.length - 1].toFixed(2)} ms; a frame at 60 a second has 16.67 ms; page of ${page.bytes} bytes`)
  await page.close()
}

// The moves of a schedule with several dropped at once, in every game, end as verify says.
async function everyGame() {
  for (const spec of [['attention:n=3,d=2', 'attenio', '-M', '12', '--rules', 'sliding'], ['attention:n=3,d=2', 'flash2', '-M', '14', '--one-shot'],
    ['matmul:m=2,n=2,k=3', 'resident', '-M', '6', '--rules', 'partial'], ['attention:n=3,d=2', 'attenio', '-M', '14', '--rules', 'partial'], ['fft:l=2', 'fft.sched', '-M', '4']]) {
    if (spec[1] === 'fft.sched') ask('schedule', 'fft:l=2', '-M', '4', '--moves', join(folder, 'fft.sched'))
    const page = await open(...spec), wanted = json('verify', ...spec)
    await page.click('#end')
    await counters(page, wanted, spec.join(' '))
    check(wanted.legal === (await text(page, 'say')).includes('every output is blue'), spec.join(' ') + ': ' + await text(page, 'say'))
    await page.close()
  }
}

// Every family with every schedule of its own, both ways of showing it; the families without a schedule are opened.
async function everyFamily() {
  const small = { attention: 'n=4,d=2', 'attention-backward': 'n=3,d=2', 'attention-causal': 'n=4,d=2', 'attention-online': 'n=4,d=2,b=2', 'attention-sparse': 'n=4,d=2,b=2,w=1', 'attention-lowrank': 'n=3,d=2,r=3',
    chain: 'n=4', cholesky: 'n=3', dot: 'k=3', fft: 'l=2', grid: 'r=3,c=3', hypercube: 'l=2', matmul: 'm=2,n=2,k=3', matvec: 'm=2,n=3', mlp: 'm=2,k=2,h=2,n=2', pyramid: 'h=3', random: 'n=12,seed=3,degree=2', stencil: 'w=4,t=3',
    strassen: 'l=1', tree: 'h=3' }
  let played = 0, opened = 0
  const page = await tab()
  const schedules = ask('schedules').split('\n').reduce((s, line) => { const f = line.match(/^(\S+)/), l = line.match(/^  (\S+)/); if (f) s.push([f[1].replace(/:$/, ''), []]); else if (l && s.length) s[s.length - 1][1].push(l[1]); return s }, [])
  for (const [family, params] of Object.entries(small)) {
    const spec = family + ':' + params, list = (schedules.find(s => s[0] === family) || [0, []])[1]
    for (const schedule of list) for (const M of [24]) for (const how of [[], ['--engine', 'tile']]) {
      const args = [spec, schedule, '-M', String(M)], wanted = (() => { try { return json('verify', ...args) } catch { return null } })()
      if (!wanted || !wanted.legal || how.length && wanted.engine !== 'tile') continue
      await show(page, ...args, ...how)
      await page.evaluate(() => goTo(reel.length))
      await counters(page, wanted, args.join(' ') + ' ' + how.join(' '))
      played++
    }
    if (list.length) continue
    await show(page, spec, '-M', '6')
    check(await page.evaluate(() => mode === 'hand' && cells.every(c => c)), spec + ' is drawn')
    opened++
  }
  await page.close()
  check(played > 30 && opened > 0, `${played} pages played, ${opened} opened`)
}

// ---- the player ----
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
    same(await page.getAttribute('#say', 'aria-live'), 'assertive', 'a refusal is said at once')
    same((await page.inputValue('#text')).split('\n').filter(l => /^[a-z]/.test(l)).length, moves.length - 1, 'moves kept after ' + rule)
  }
  await page.close()
}

// Random moves, legal or not, judged by the page; what it refuses the program refuses by the same rule, what it accepts verifies.
async function refereeAgainstProgram() {
  const games = [['matmul:m=2,n=2,k=2', '-M', '5'], ['matmul:m=2,n=2,k=2', '-M', '4', '--rules', 'sliding'], ['grid:r=3,c=3', '-M', '3', '--one-shot'],
    ['matmul:m=2,n=2,k=2', '-M', '4', '--rules', 'partial'], ['fft:l=2', '-M', '4', '--rules', 'sliding', '--one-shot']]
  const seen = new Set()
  for (const game of games) {
    const page = await open(...game)
    const { refused, rounds } = await page.evaluate(() => {
      let seed = 7
      const below = n => { seed = (seed * 1103515245 + 12345) % 2147483648; return Math.floor(seed / 2147483648 * n) }
      const refused = [], had = new Map(), rounds = []
      for (let round = 0; round < 25; round++) {
        const g = newGame(), lines = () => g.log.map(m => moveText(m) + '\n').join('')
        for (let i = 0; i < 300; i++) {
          const full = g.reds === M, kind = KINDS[full && below(2) ? 3 : [0, 0, 1, 2, 2, 2, 3, 4][below(8)]], v = below(N), red = PREDS[v].filter(u => g.red[u])
          if (kind === 'erase' && below(8) && isInput[v]) continue
          const slide = kind === 'compute' && red.length && below(2) ? red[below(red.length)] : -1, bad = broken(g, kind, v, slide)
          if (!bad) { apply(g, kind, v, slide); continue }
          const key = kind + ' ' + bad.rule
          had.set(key, (had.get(key) || 0) + 1)
          if (had.get(key) <= 2) refused.push({ rule: bad.rule, kind, text: lines() + moveText({ kind, v, slide }) + '\n' })
        }
        const kept = lines(), counts = { loads: g.loads, stores: g.stores, io: g.loads + g.stores, peak: g.peak, computes: g.computes }
        while (g.log.length) unapply(g)
        rounds.push({ kept, counts, undone: JSON.stringify(g) === JSON.stringify(newGame()) })
      }
      return { refused, rounds }
    })
    const play = moves => { const file = join(folder, 'random.sched'); writeFileSync(file, moves); return json('verify', game[0], file, ...game.slice(1)) }
    for (const r of refused) {
      const said = play(r.text)
      seen.add(r.kind + ' ' + r.rule)
      same(said.error && said.error.rule, r.rule, `${game.join(' ')}: ${r.text.trim().split('\n').pop()}`)
    }
    rounds.forEach(({ kept, counts, undone }, i) => {
      const said = play(kept)
      check(!said.error || said.error.rule === 'output', `${game.join(' ')}, round ${i}: what the page accepted is refused: ${JSON.stringify(said.error)}`)
      for (const k of Object.keys(counts)) same(counts[k], said[k], `${game.join(' ')}, round ${i}, ${k}`)
      check(undone, `${game.join(' ')}, round ${i}: all taken back is not the beginning`)
    })
    await page.close()
  }
  for (const rule of ['load already red', 'load not blue', 'load memory', 'store not red', 'store already blue', 'drop not red', 'erase not blue', 'compute input', 'compute already red',
    'compute recompute', 'compute predecessor', 'compute memory']) check(seen.has(rule), 'never met: ' + rule)
}

async function undoing() {
  for (const rules of [['--rules', 'placing'], ['--rules', 'sliding'], ['--rules', 'partial']]) {
    const page = await open('matmul:m=2,n=2,k=2', 'resident', '-M', '6', ...rules)
    same(await page.evaluate(() => { goTo(0); const a = JSON.stringify(game); goTo(plan.length); const log = game.log.length; goTo(0); return a === JSON.stringify(game) && log > 10 }), true, 'all moves taken back: the beginning, ' + rules[1])
    await page.close()
  }
}

async function playing() {
  const spec = ['matmul:m=1,n=1,k=2', '-M', '4'], page = await open(...spec)
  const moves = ['l A[0,0]', 'l B[0,0]', 'c C[0,0,0]', 'd A[0,0]', 'd B[0,0]', 'l A[0,1]', 'l B[1,0]', 'c C[0,0,1]', 's C[0,0,1]']
  for (const m of moves) await move(page, m)
  await counters(page, { loads: 4, stores: 1, io: 5, peak: 4 }, 'played by hand')
  check((await text(page, 'say')).includes('the optimum'), 'compared with the optimum: ' + await text(page, 'say'))
  await press(page, 'u', 'u', 'u')
  await counters(page, { loads: 3, stores: 0, io: 3, peak: 3 }, 'three moves undone')
  for (let i = 0; i < 2; i++) await page.click('#redo')
  await press(page, 'r')
  const out = await page.inputValue('#text'), file = join(folder, 'mine.sched')
  writeFileSync(file, out)
  await counters(page, json('verify', spec[0], file, '-M', '4'), 'what is exported verifies')
  const [saved] = await Promise.all([page.waitForEvent('download'), page.click('#save')])
  same(saved.suggestedFilename(), 'moves.sched', 'the file saved')
  await page.click('#restart')
  await page.fill('#text', out)
  await page.click('#import')
  await counters(page, { loads: 4, stores: 1, io: 5, peak: 4 }, 'imported')
  same(await page.inputValue('#text'), out, 'export of the import')
  for (const [bad, why] of [['load A[0,0]\nload A[9,9]\n', 'line 2'], ['load A[0,0]\nload A[0,0]\n', 'line 2: already red'], ['load A[0,*]\n', 'is a box'], ['dropping A\n', 'belongs to a compute'], ['load A[0,0]\nlaod A[0,1]\n', 'did you mean load?'], ['load a[0,0]\n', 'did you mean A?'], ['load A[9,9]\n', 'outside the array']]) {
    await page.fill('#text', bad)
    await page.click('#import')
    check((await text(page, 'say')).includes(why), `the import of ${JSON.stringify(bad)} says ${why}: ${await text(page, 'say')}`)
  }
  await page.close()
}

// What `redblue moves` prints, several dropped at once, can be pasted; in the sliding game the pebble slides.
async function pasting() {
  for (const rules of [[], ['--rules', 'sliding'], ['--rules', 'partial']]) {
    const spec = ['attention:n=2,d=2', 'attenio', '-M', '14', ...rules], page = await open('attention:n=2,d=2', '-M', '14', ...rules), wanted = json('verify', ...spec)
    await page.fill('#text', ask('moves', ...spec))
    await page.click('#import')
    await counters(page, wanted, 'pasted moves ' + rules.join(' '))
    const file = join(folder, 'pasted.sched')
    writeFileSync(file, await page.inputValue('#text'))
    await counters(page, json('verify', spec[0], file, '-M', '14', ...rules), 'and exported again ' + rules.join(' '))
    await page.close()
  }
}

// ---- keyboard and screen reader ----
async function keyboardOnly() {
  const page = await open('matmul:m=1,n=1,k=2', '-M', '4')
  for (let i = 0; i < 40 && !await page.evaluate(() => document.activeElement.dataset.v !== undefined); i++) await page.keyboard.press('Tab')
  check(await page.evaluate(() => document.activeElement.dataset.v !== undefined), 'Tab reaches the board')
  if (await page.evaluate(() => mode !== 'hand')) await page.keyboard.press('Enter')
  await press(page, 'l', 'ArrowRight', 'l')
  same(await text(page, 'loads'), 2, 'two loads by keys alone')
  same(await text(page, 'spoken'), 'loads 2, stores 0, red 2 of 4', 'and they are spoken')
  await press(page, 'u')
  same(await text(page, 'loads'), 1, 'undo by a key')
  await page.close()
}

async function labels() {
  writeFileSync(join(folder, 'small.dot'), 'digraph g { a -> c; b -> c; c -> d; b -> d; }\n')
  for (const spec of [['matmul:m=2,n=2,k=2', 'resident', '-M', '6'], ['small.dot', '-M', '3'], ['attention:n=64,d=2', 'attenio', '-M', '40', '--engine', 'tile']]) {
    const page = await open(...spec), what = spec[0]
    const nameless = await page.evaluate(() => [...document.querySelectorAll('button, select, textarea, input, [role=button], [role=group], [role=img], [role=tabpanel]')]
      .filter(e => !(e.getAttribute('aria-label') || e.getAttribute('aria-labelledby') || e.textContent.trim() || (e.labels && e.labels.length))).map(e => e.outerHTML.slice(0, 80)))
    same(nameless.length, 0, what + ': without a name: ' + nameless[0])
    if (!what.includes('.dot')) {
      await page.focus('#tab-watch')
      await press(page, 'ArrowRight')
      const next = await page.evaluate(() => [document.activeElement.id, document.activeElement.getAttribute('aria-selected'), mode])
      same(next, what.includes('64') ? 'tab-proof,true,proof' : 'tab-hand,true,hand', what + ': arrows walk the tabs')
      same(await page.evaluate(() => ['watch', 'hand', 'proof'].filter(m => !document.getElementById(m).hidden).join()), what.includes('64') ? 'proof' : 'hand', what + ': one panel')
    }
    check(await page.evaluate(() => document.documentElement.lang === 'en' && !!document.querySelector('main') && document.querySelectorAll('h1').length === 1), what + ': language, main, one heading')
    await page.setViewportSize({ width: 390, height: 844 })
    for (const m of await page.evaluate(() => MODES.filter(m => !document.getElementById('tab-' + m).hidden))) {
      await page.click('#tab-' + m)
      check(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), `${what}, ${m}: wider than a phone`)
    }
    await page.close()
  }
}

// ---- the proof ----
// columns: segment, moves, loads, births, |D|, words ≤ X, work ≤ h
const segmentRows = page => page.$$eval('#segments tbody tr', list => list.map(r => [...r.cells].map(c => c.textContent)))
const choice = (page, name) => page.evaluate(n => { const w = document.getElementById('which'); w.selectedIndex = DATA.bounds.findIndex(b => b.name === n); w.dispatchEvent(new Event('change')); return w.selectedIndex }, name)

async function bounds() {
  const spec = ['matmul:m=4,n=4,k=4', 'resident', '-M', '8'], page = await open(...spec), wanted = json('bound', spec[0], '-M', '8')
  check((await text(page, 'goal')).includes('bound ' + wanted.best.value + ' (' + wanted.best.name + ')'), 'the bound is shown: ' + await text(page, 'goal'))
  await page.click('#tab-proof')
  check((await text(page, 'argument')).includes(String(wanted.best.value)), 'the argument names the bound')
  const rows = await segmentRows(page), limited = c => { const [a, b] = c.split(' ≤ ').map(Number); return b === undefined || a <= b }
  check(rows.length > 1, 'the run is cut into segments')
  check(rows.every(r => limited(r[5]) && limited(r[6])), 'in each segment the words are at most X and the work at most h(X)')
  same(rows.reduce((s, r) => s + Number(r[2]), 0), json('verify', ...spec).loads, 'the segments hold every load')
  same(rows.reduce((s, r) => s + parseInt(r[6]), 0), 64, 'and every step')
  check((await text(page, 'works')).includes('= ' + wanted.best.value), 'the arithmetic ends at the bound')
  await page.click('#segments tbody tr:nth-child(2)')
  check(await page.evaluate(() => document.querySelectorAll('.cell.set').length === segments[1].D.size && segments[1].D.size > 0), 'D is marked on the board')
  await page.close()
}

// A run that computes things again: each step is counted once.
async function recomputing() {
  const page = await open('attention:n=6,d=2,dv=6', 'sliced', '-M', '16', '-p', 's=2')
  const twice = await page.evaluate(() => plan.filter(m => m[0] === 2).length - new Set(plan.filter(m => m[0] === 2).map(m => m[1])).size)
  check(twice > 0, 'the run computes something again')
  await page.click('#tab-proof')
  for (const name of ['product-segment', 'attention-segment', 'attention-two-products', 'covering']) {
    await choice(page, name)
    const rows = await segmentRows(page), work = rows.reduce((s, r) => s + parseInt(r[6]), 0)
    const p = await page.evaluate(n => { const b = DATA.bounds.find(b => b.name === n); return b && { work: b.parameters.work, seen: viewOf(b) !== null } }, name)
    if (!p || !p.seen) continue
    same(work, p.work, name + ': each step once')
    check(rows.every(r => [r[5], r[6]].every(c => { const [a, b] = c.split(' ≤ ').map(Number); return b === undefined || a <= b })), name + ': within its limits')
  }
  await page.close()
}

// Every bound of several pages: what is displayed as the most a segment does is never below the record, and the view does not fail.
async function everyBound() {
  let shown = 0
  for (const spec of [['matmul:m=6,n=6,k=2', '-M', '12'], ['matmul:m=9,n=9,k=9', '-M', '20'], ['attention:n=12,d=2', '-M', '12'], ['attention:n=10,d=3,dv=2', '-M', '14'], ['attention-backward:n=8,d=2', '-M', '24'], ['fft:l=3', '-M', '4'], ['attention-lowrank:n=24,d=2,r=6', '-M', '30'], ['matmul:m=3,n=20,k=20', '-M', '20'], ['attention:n=14,d=4', '-M', '30'], ['cholesky:n=5', '-M', '5', '--one-shot'], ['stencil:w=8,t=6', '-M', '5', '--one-shot']]) {
    const page = await open(...spec)
    await page.click('#tab-proof')
    const faults = await page.evaluate(() => DATA.bounds.flatMap((b, i) => {
      document.getElementById('which').selectedIndex = i
      showBound(i)
      const p = b.parameters.loads || b.parameters, list = b.name === 'backward-14' ? (b.parameters.length ? [[M + b.parameters.length, b.parameters.most]] : []) : [[p.first, p.most_first], ...(p.segments > 1 ? [[M + p.length, p.most]] : [])]
      window.counted = (window.counted || 0) + list.filter(([X, h]) => X && worksOf(b, X)).length
      return list.flatMap(([X, h]) => { const w = X && h !== undefined && worksOf(b, X); return w && w.H !== null && w.H + 1 + 1e-9 < h ? [`${b.name}: h(${X}) = ${h}, displayed ${w.H}`] : [] })
    }))
    faults.forEach(f => check(false, spec.join(' ') + ': ' + f))
    check(faults.length === 0, spec[0] + ': displayed maxima')
    shown += await page.evaluate(() => window.counted)
    await page.close()
  }
  check(shown >= 20, `lines of AM-GM: ${shown}`)
}

// Bounds for any graph by segments of loads: each vertex is computed once for the first time, and no segment reaches more than it may.
async function reaching() {
  for (const [spec, M] of [['fft:l=3', 4], ['fft:l=4', 3], ['pyramid:h=5', 4], ['cholesky:n=4', 6]]) {
    const moves = join(folder, 'reach.sched')
    ask('schedule', spec, '-M', String(M), '--moves', moves)
    const page = await open(spec, moves, '-M', String(M))
    await page.click('#tab-proof')
    for (const name of await page.evaluate(() => DATA.bounds.filter(isReach).map(b => b.name))) {
      await choice(page, name)
      const rows = await segmentRows(page), computed = await page.evaluate(() => PREDS.filter(p => p.length).length)
      same(rows.reduce((s, r) => s + parseInt(r[6]), 0), computed, `${spec}, ${name}: every vertex once`)
      check(rows.every(r => [r[5], r[6]].every(c => { const [a, b] = c.split(' ≤ ').map(Number); return b === undefined || a <= b })), `${spec}, ${name}: within its limits`)
      check(await page.evaluate(() => arithmeticOf(bound).length === 0 || arithmeticOf(bound).pop().endsWith('= ' + bound.value)), `${spec}, ${name}: the arithmetic ends at the bound`)
    }
    await page.close()
  }
}

async function waves() {
  writeFileSync(join(folder, 'two.dot'), ask('cdag', 'fft:l=3', '--format', 'dot'))
  for (const spec of [['grid:r=3,c=3', '-M', '3', '--one-shot'], ['two.dot', '-M', '2', '--one-shot', '--rules', 'sliding'], ['fft:l=4', '-M', '3', '--one-shot'], ['two.dot', '-M', '3', '--one-shot']]) {
    const page = await open(...spec)
    await page.click('#tab-proof')
    const name = await page.evaluate(() => (DATA.bounds.find(b => (b.parameters.waves || []).length) || {}).name)
    if (!name) { check(spec[0] === 'two.dot', spec.join(' ') + ' has a wave'); await page.close(); continue }
    await choice(page, name)
    const n = await page.evaluate(() => bound.parameters.waves.length)
    for (let i = 0; i < n; i++) {
      const shown = await page.evaluate(i => {
        const w = bound.parameters.waves[i]
        showWave(bound.parameters.waves, i)
        return { cut: marks.cut.size, lines: document.querySelectorAll('.wave line, .flow, .against').length, arcs: (w.along.length + w.against.length) / 3, framed: document.querySelectorAll('.cell.cut').length, says: document.getElementById('waveText').textContent.includes('The cut') }
      }, i)
      check(shown.cut > 0 && shown.framed === shown.cut, `${spec.join(' ')}, moment ${i}: the cut is framed`)
      same(shown.lines, shown.arcs, `${spec.join(' ')}, moment ${i}: the flow is drawn`)
      check(shown.says, `${spec.join(' ')}, moment ${i}: the flow is the largest, the cut weighs as much`)
    }
    await page.close()
  }
}

async function coveringSides() {
  const page = await open('attention-backward:n=8,d=2', 'two-pass', '-M', '40')
  await page.click('#tab-proof')
  await choice(page, 'covering')
  check((await page.$$('#primal tbody tr')).length > 0, 'the plan of passes')
  same((await page.$$('#dual tbody tr')).length, 3, 'a weight for each kind')
  const sides = await page.evaluate(() => { const p = bound.parameters; return [bound.plan.reduce((s, x) => s + x.times * x.cost, 0), bound.plan.every(x => { const w = passWords(p, x.slice); return w.row * w.column === x.cost })] })
  same(sides[1], true, 'the words of a pass are its cost')
  check(sides[0] > 0, 'the plan costs something')
  await page.close()
}

// ---- names and tiles ----
async function hostile() {
  writeFileSync(join(folder, 'hostile.dot'), 'digraph g { "</script><script>window.harmed=1</script>" -> "a\\"b\'&<img src=x onerror=window.harmed=1>"; "x" -> "a\\"b\'&<img src=x onerror=window.harmed=1>"; "点🙂é" -> "x"; "@DATA@" -> "x"; "@PROGRAM@" -> "x" }\n')
  const page = await open('hostile.dot', '-M', '5')
  await page.click('#board [data-v="0"]')
  check((await text(page, 'picked')).includes('</script><script>window.harmed=1</script>'), 'the name is shown as it is')
  await press(page, 'l')
  same(await text(page, 'loads'), 1, 'the page works')
  same(await page.evaluate(() => DATA.labels.join('|')), '</script><script>window.harmed=1</script>|a"b\'&<img src=x onerror=window.harmed=1>|x|点🙂é|@DATA@|@PROGRAM@', 'every name as in the file')
  check(await page.evaluate(() => window.harmed === undefined && !document.querySelector('img')), 'a name runs as a program')
  await page.close()
}

async function tiles() {
  const spec = ['attention:n=131072,d=128', 'attenio', '-M', '256K'], page = await open(...spec), wanted = json('verify', ...spec)
  check(page.bytes < 300000, `the large page has ${page.bytes} bytes`)
  await page.click('#end')
  await counters(page, wanted, 'large')
  for (const a of wanted.arrays) {
    const row = await page.$$eval('#traffic tbody tr', (rows, n) => rows.map(r => [...r.cells].map(c => c.textContent.replaceAll(',', ''))).find(r => r[0] === n), a.name)
    same(row, [a.name, a.loads, a.stores], 'large, traffic of ' + a.name)
  }
  check((await text(page, 'say')).includes('every output is blue'), 'large, the end: ' + await text(page, 'say'))
  check((await text(page, 'note')).includes('by induction'), 'it is said what was inferred')
  same(await page.isHidden('#tab-hand'), true, 'nobody plays 4 million million vertices')
  check((await text(page, 'goal')).includes(String(wanted.lower_bound.value).replace(/\B(?=(\d{3})+(?!\d))/g, ',')), 'large, the bound')
  await page.click('#tab-proof')
  check((await text(page, 'works')).includes('events, in'), 'large, the segments of the run')
  await page.close()
}

// Small enough to look at every step: the words of the position are those the engine counted, and a tile is red where the vertex game says so.
async function tilesAgainstVertices() {
  for (const [spec, ...rest] of [['attention:n=5,d=2', 'attenio', '-M', '14'], ['attention-causal:n=6,d=2', 'attenio', '-M', '14'], ['matmul:m=3,n=4,k=5', 'resident', '-M', '8'], ['stencil:w=6,t=5', 'skewed', '-M', '8']]) {
    const page = await open(spec, ...rest, '--engine', 'tile'), single = await open(spec, ...rest)
    const steps = await page.evaluate(() => DATA.sights.map((s, k) => {
      goTo(k)
      const red = tileArrays.flatMap(t => t.cells.map((c, n) => t.red[n] ? c.dataset.name : '').filter(x => x)), words = tileArrays.reduce((s, t) => s + t.words, 0), c = reel.counters()
      return { key: [c.loads, c.stores, c.computes, c.reds].join(), words, reds: c.reds, red, leap: s[0] === 5 }
    }))
    const bad = steps.filter(s => s.words !== s.reds)
    same(bad.length, 0, spec + ': words of the position')
    // the same moment of the game by vertices; counters do not tell all moments apart, so any that agrees will do
    const missing = await single.evaluate(steps => {
      const inside = (name, x) => { const m = name.match(/^(\w+)\[(.*)\]$/); return m[2].split(',').every((b, r) => { const [lo, hi] = b.split('..').map(Number); return x[r] >= lo && x[r] < (hi === undefined ? lo + 1 : hi) }) && m[1] }
      let k = 0
      const fits = s => {
        const tiles = new Map()
        s.red.forEach(n => { const a = n.slice(0, n.indexOf('[')); tiles.set(a, [...(tiles.get(a) || []), n]) })
        return DATA.arrays.every(a => a.elements.every((x, i) => !!game.red[a.first + i] === (tiles.get(a.name) || []).some(n => inside(n, x))))
      }
      return steps.findIndex(s => {
        for (; k <= plan.length; k++) { goTo(k); if ([game.loads, game.stores, game.computes, game.reds].join() === s.key && fits(s)) return false }
        return true
      })
    }, steps)
    same(missing, -1, spec + ': a step whose tiles are no position of the play')
    same(await page.evaluate(() => DATA.sights.some((s, k) => { goTo(k); return tileArrays.some(t => [...t.red, ...t.blue].includes(SOME)) })), false, spec + ': no tile in part')
    same(await page.evaluate(() => DATA.sights.some(s => s[0] === 5)), false, spec + ': small, so every statement is a step')
    await page.close()
    await single.close()
  }
}

// Many corners: tiles red in part hold the right numbers of words, and never more than they have.
async function coarseTiles() {
  for (const of of [['attention-causal:n=3000,d=8', 'flash2', '-M', '1K'], ['syrk:n=2000,k=30', 'tiled', '-M', '1000']]) await coarseTilesOf(of)
}
async function coarseTilesOf(of) {
  const page = await open(...of)
  const seen = await page.evaluate(() => {
    let some = 0, wrong = 0
    DATA.sights.forEach((s, k) => {
      goTo(k)
      tileArrays.forEach(t => {
        wrong += t.held[0].reduce((x, w) => x + w, 0) !== t.words
        t.held[0].forEach((w, n) => { wrong += w > sizeOf(t, n); some += t.red[n] === SOME; wrong += (t.red[n] === 1) !== (w > 0 && w === sizeOf(t, n)) })
      })
      wrong += tileArrays.reduce((x, t) => x + t.words, 0) !== s[6]
    })
    return { some, wrong }
  })
  check(seen.some > 0, of[0] + ' has tiles red in part')
  same(seen.wrong, 0, 'words of tiles red in part')
  check((await text(page, 'note')).includes('striped'), 'and that is said')
  await page.close()
}

// ---- the explainer ----
// Step by step through the guide: each step says something, and goes where it says.
async function guided() {
  for (const spec of [['attention:n=8,d=2', 'attenio', '-M', '20'], ['fft:l=3', 'blocked', '-M', '6'], ['matmul:m=1,n=1,k=2', '-M', '4'], ['attention:n=131072,d=128', 'attenio', '-M', '256K']]) {
    const page = await open(...spec), titles = []
    const n = await page.evaluate(() => tour.length)
    for (let i = 0; i < n; i++) {
      titles.push(await text(page, 'guideTitle'))
      check((await text(page, 'guideText')).length > 20, `${spec[0]}: step ${i + 1} says something`)
      check(!/undefined|NaN|null/.test(await text(page, 'guideText')), `${spec[0]}: step ${i + 1}: ${await text(page, 'guideText')}`)
      if (i < n - 1) await page.click('#guideNext')
    }
    same(new Set(titles).size, n, spec[0] + ': every step has a title of its own')
    same(await page.evaluate(() => mode), spec[0].includes('131072') ? 'proof' : 'hand', spec[0] + ': where the guide ends')
    await page.click('#guideClose')
    check(await page.isHidden('#guide'), 'the guide closes')
    await page.close()
  }
}
// The largest bound with the most to see is shown first; the ratio stands in the heading; segments are bands of the curve.
async function richestFirst() {
  const page = await open('attention:n=4,d=2', 'attenio', '-M', '16')
  check((await text(page, 'goal')).includes('ratio 1.50'), 'the ratio: ' + await text(page, 'goal'))
  await page.click('#tab-proof')
  const shown = await page.evaluate(() => [bound.name, String(bound.value) === String(DATA.best.value), segments.length > 0])
  check(shown[0] !== 'compulsory' && shown[1] && shown[2], 'a bound with segments is shown first, not ' + shown[0])
  same(await page.evaluate(() => document.querySelectorAll('#chart .band').length), await page.evaluate(() => Math.ceil(segments.length / 2)), 'every second segment is a band')
  await page.close()
}
async function neighbours() {
  const page = await open('matmul:m=2,n=2,k=2', 'resident', '-M', '6')
  await page.hover(`#board [data-v="${await idOf(page, 'C[0,0,1]')}"]`)
  same(await page.evaluate(() => [...marks.pre].map(called).sort().join()), 'A[0,1],B[1,0],C[0,0,0]', 'predecessors on hover')
  same(await page.evaluate(() => document.querySelectorAll('.hover-lines line').length), 3, 'and lines from them')
  await page.evaluate(() => goTo(5))
  await page.click(`#board [data-v="${await idOf(page, 'C[0,0,1]')}"]`)
  same(await page.evaluate(() => [mode, reel.at].join()), 'watch,5', 'a click while watching looks, and no more')
  const before = await page.evaluate(() => JSON.stringify([[...vertexReel.watched.red], vertexReel.watched.loads]))
  await page.click('#takeOver')
  same(await page.evaluate(() => [mode, mine.log.length].join()), 'hand,5', 'taken over with its moves')
  same(await page.evaluate(() => JSON.stringify([[...mine.red], mine.loads])), before, 'in the same position')
  await page.close()
}
// Hints alone bring every game without recomputation to its end, by legal moves.
async function hints() {
  for (const spec of [['matmul:m=2,n=2,k=2', '-M', '5'], ['fft:l=2', '-M', '4'], ['grid:r=3,c=3', '-M', '4', '--one-shot'], ['attention:n=2,d=2', '-M', '9', '--rules', 'sliding']]) {
    const page = await open(...spec)
    const end = await page.evaluate(() => { for (let i = 0; i < 2000; i++) { const h = hintFor(mine); if (!h) break; const bad = broken(mine, h.kind, h.v, h.slide ?? -1); if (bad) return bad.sentence; apply(mine, h.kind, h.v, h.slide ?? -1) } return unfinished(mine) })
    same(end, -1, spec.join(' ') + ': hints to the end')
    await page.close()
  }
}
async function links() {
  const spec = ['attention:n=4,d=2', 'attenio', '-M', '16', '--sweep', 'M=12,20,40'], page = await open(...spec), file = page.url().replace(/#.*/, '')
  const at = async hash => { await page.goto('about:blank'); await page.goto(file + hash) }
  await at('#at=30')
  same(await page.evaluate(() => [mode, reel.at].join()), 'watch,30', 'a link to a move')
  await at('#bound=covering')
  same(await page.evaluate(() => [mode, bound.name].join()), 'proof,covering', 'a link to a bound')
  await at('#m=12&tab=watch&at=7&embed')
  same(await page.evaluate(() => [M, reel.at, document.querySelector('h1').checkVisibility()].join()), '12,7,false', 'a link to another M, embedded')
  await page.evaluate(() => goTo(9))
  await page.waitForFunction(() => location.hash.includes('at=9'))
  check((await page.evaluate(() => location.hash)).includes('m=12'), 'the address follows')
  // every M of the slider ends as verify says
  for (const m of ['12', '16', '20', '40']) {
    await page.evaluate(m => showRun(RUNS.findIndex(r => r.m === Number(m))), m)
    await page.evaluate(() => goTo(reel.length))
    await counters(page, json('verify', 'attention:n=4,d=2', 'attenio', '-M', m), 'M = ' + m)
    same(await page.evaluate(() => String(DATA.best.value)), String(json('bound', 'attention:n=4,d=2', '-M', m).best.value), 'the bound at M = ' + m)
  }
  await page.close()
}
async function keeping() {
  const page = await open('matmul:m=1,n=1,k=2', '-M', '4')
  for (const m of ['l A[0,0]', 'l B[0,0]']) await move(page, m)
  await page.reload()
  await page.click('#tab-hand')
  same(await text(page, 'loads'), 2, 'a game survives a reload')
  await page.click('#moves [data-move=compute]')
  await page.click(`#board [data-v="${await idOf(page, 'C[0,0,0]')}"]`)
  await page.click('#moves [data-move=compute]')
  await press(page, 'ArrowUp')
  check(await page.evaluate(() => document.activeElement.dataset.v !== undefined), 'after a click on a button arrows walk the board')
  await page.close()
}
async function spaceRuns() {
  const page = await open('attention:n=4,d=2', 'attenio', '-M', '16')
  await page.click('#step')
  await press(page, ' ')
  check(await page.evaluate(() => running), 'space runs after a click on a button')
  await press(page, ' ')
  check(await page.evaluate(() => !running), 'and pauses')
  await page.close()
}
// Long edges lead around the vertices of the layers they cross; names stand whole; butterflies keep their lanes.
async function graphs() {
  writeFileSync(join(folder, 'net.dot'), 'digraph g { image -> resize -> normalise -> conv1 -> relu1 -> output; "weights of conv1" -> conv1; weights2 -> relu1; image -> output; }\n')
  let page = await open('net.dot', '-M', '3')
  const hit = await page.evaluate(() => [...document.querySelectorAll('.edge')].filter(e => {
    const own = [e.dataset.from, e.dataset.to], n = e.getTotalLength()
    return [...Array(100).keys()].some(i => { const p = e.getPointAtLength(n * i / 100); return cells.some((c, v) => !own.includes(String(v)) && Math.abs(p.x - (Number(c.getAttribute('x')) + Number(c.getAttribute('width')) / 2)) < Number(c.getAttribute('width')) / 2 && Math.abs(p.y - Number(c.getAttribute('y')) - 14) < 14) })
  }).map(e => e.dataset.edge))
  same(hit.length, 0, 'edges through vertices: ' + hit)
  check(await page.evaluate(() => [...document.querySelectorAll('#graph text')].some(t => t.textContent === 'weights of conv1')), 'a whole name')
  await page.close()
  page = await open('fft:l=3', '-M', '6')
  check(await page.evaluate(() => cells.every((c, v) => v < 8 || Math.abs(Number(c.getAttribute('x')) - Number(cells[v - 8].getAttribute('x'))) < 2)), 'lanes stand upright')
  await page.close()
  page = await open('dot:k=12', '-M', '3')
  check(await page.evaluate(() => { const x = v => cells[v].getBoundingClientRect().x, y = v => cells[v].getBoundingClientRect().y; return x(3) === x(15) && y(0) === y(11) && y(12) > y(0) }), 'one index: a line, the arrays below each other')
  await page.close()
}
async function printed() {
  const page = await open('matmul:m=2,n=2,k=2', 'resident', '-M', '6')
  await page.emulateMedia({ media: 'print' })
  check(await page.evaluate(() => getComputedStyle(cells[0]).printColorAdjust === 'exact' && !document.getElementById('transport').checkVisibility()), 'paper has the colours and no buttons')
  await page.close()
}
// The lessons of the site are looked at with it (site.mjs); here the pages that are not among them.
async function accessible() {
  const axe = join(import.meta.dirname, 'node_modules/axe-core/axe.min.js')
  if (!existsSync(axe)) return console.log('skipped: axe-core is not there')
  writeFileSync(join(folder, 'small.dot'), 'digraph g { a -> c; b -> c; c -> d; b -> d; }\n')
  for (const spec of [['small.dot', '-M', '3'], ['attention-causal:n=3000,d=8', 'flash2', '-M', '1K']]) {
    const page = await open(...spec)
    await page.addScriptTag({ path: axe })
    for (const colorScheme of ['light', 'dark']) for (const width of [320, 768, 1920]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      for (const m of await page.evaluate(() => MODES.filter(m => !document.getElementById('tab-' + m).hidden))) {
        await page.click('#tab-' + m)
        check(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), `${spec[0]}, ${m}: wider than ${width}`)
        const { violations } = await page.evaluate(dark => axe.run(document, dark ? { runOnly: ['color-contrast'] } : {}), colorScheme === 'dark')
        check(!violations.length, `${spec[0]}, ${m}, ${colorScheme}, ${width}: ` + violations.map(v => v.id + ' ' + v.nodes[0].html.slice(0, 90)).join('; '))
      }
    }
    await page.close()
  }
}

async function illegal() {
  const spec = ['attention:n=4,d=2', 'attenio', '-M', '12', '-p', 'a=3'], page = await open(...spec), wanted = json('verify', ...spec)
  await page.click('#end')
  await counters(page, wanted, 'an illegal schedule')
  check((await text(page, 'say')).includes(wanted.error.rule + ':') && (await text(page, 'say')).includes(wanted.error.element), 'where and why it stops: ' + await text(page, 'say'))
  await page.click('#tab-proof')
  await page.close()
}

async function illegalTiles() {
  writeFileSync(join(folder, 'bad.sched'), 'for I in n by 10 { load Q[I,*] drop Q[I,*] }\nload K[0..9,*]\nload K[0,0]\n')
  const page = await open('attention:n=2000,d=4', 'bad.sched', '-M', '60')
  await page.click('#end')
  check((await text(page, 'say')).includes("rule 'already red' broken at K[0,0]"), 'large and illegal: ' + await text(page, 'say'))
  await page.close()
}

for (const part of [watching, everyGame, everyFamily, refusing, refereeAgainstProgram, undoing, playing, pasting, keyboardOnly, labels, bounds, recomputing, everyBound, reaching, waves, coveringSides, hostile, tiles,
  tilesAgainstVertices, coarseTiles, illegal, illegalTiles, guided, richestFirst, neighbours, hints, links, keeping, spaceRuns, graphs, printed, accessible].filter(p => !only || only.includes(p.name)))
{
  const begun = Date.now()
  await part().catch(e => check(false, part.name + ': ' + e.message))
  if (process.env.SLOW) console.log(`${part.name}: ${((Date.now() - begun) / 1e3).toFixed(1)} s`)
}
await browser.close()
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)
