// playground.mjs -- the playground in headless Chromium: what the program says in the page is what it says outside, on 100 settings; errors at their line, links, the
// lesson, generated families, stopping, three widths, both colour schemes, the keyboard alone, axe-core without a violation.
// node playground.mjs REDBLUE FOLDER.  Without emscripten there is no playground, and this says so.
import { chromium } from 'playwright-core'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'

const [redblue, folder] = process.argv.slice(2), top = join(import.meta.dirname, '../..'), out = join(folder, 'site/playground'), axe = join(import.meta.dirname, 'node_modules/axe-core/axe.min.js')
execFileSync('sh', ['playground/build.sh', relative(top, join(dirname(redblue), '..')), out, '--if-possible'], { cwd: top, stdio: ['ignore', 'ignore', 'inherit'] })
if (!existsSync(join(out, 'index.html'))) process.exit(0)
let passed = 0, failed = 0
const check = (good, what) => { if (good) passed++; else { failed++; console.log('FAILED: ' + what) } }
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync), url = pathToFileURL(join(out, 'index.html')).href
const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'] })
const context = await browser.newContext()

async function open(hash = '', options = {}) {
  const page = await browser.newPage(options)
  page.on('pageerror', e => check(false, 'the page fails: ' + e.message))
  page.on('request', r => check(r.url().split('#')[0] === url || /^(data|blob):/.test(r.url()), 'asks for ' + r.url()))
  await page.goto(url + hash)
  await done(page)
  return page
}
const done = page => page.waitForFunction(() => document.getElementById('state').textContent.startsWith('done'), null, { timeout: 120000 })
const settled = async page => { await page.waitForTimeout(400); await done(page) }

// ---- the same answers ----

const work = join(folder, 'native')
mkdirSync(work, { recursive: true })
const native = (words, files) => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(work, name), text)
  const r = spawnSync(redblue, words, { cwd: work, encoding: 'utf8', maxBuffer: 1 << 28 })
  return { code: r.status, out: r.stdout, err: r.stderr }
}
// what a search finds depends on its time
const timeless = text => text.replace(/"schedules": \[.*?\], "gap": [^,}]*/s, '').replace(/^schedules\n[^]*/m, '')
const read = path => readFileSync(join(top, path), 'utf8')
const family = name => read(`cdag/families/${name}.cdag`), library = name => read(`schedules/library/${name}.sched`)
const settings = []
for (const [of, params, schedule, ...sizes] of [
  ['attention', 'n=8,d=2', 'attenio', 6, 9, 12, 20, 40], ['attention', 'n=64,d=8', 'flash2', 40, 100, 300, 900], ['attention', 'n=4096,d=64', 'attenio', 256, 16384, 65536, 262144],
  ['attention', 'n=1048576,d=128', 'attenio', 4096, 1048576, 16777216], ['attention', 'n=100003,d=96', 'standard', 5000, 70001], ['matmul', 'm=8,n=8,k=8', 'resident', 4, 9, 20, 64, 200],
  ['matmul', 'm=3000000,n=2000000,k=1000000', 'resident', 10000, 123457, 1000000000], ['matmul', 'm=17,n=5,k=31', 'tiled', 3, 7, 30, 99], ['dot', 'k=6', 'stream', 3, 4, 20], ['dot', 'k=5000000000', 'stream', 4, 100],
  ['stencil', 'w=16,t=8', 'skewed', 6, 8, 20, 40], ['stencil', 'w=4000,t=1000', 'skewed', 10, 200, 2000], ['grid', 'r=8,c=8', 'strips', 4, 6, 12], ['grid', 'r=300,c=200', 'strips', 8, 50], ['cholesky', 'n=8', 'left-looking', 9, 20, 60],
  ['cholesky', 'n=300', 'blocked', 100, 1000, 9000], ['attention-backward', 'n=6,d=2', 'two-pass', 20, 40, 90], ['attention-backward', 'n=2048,d=32', 'two-pass', 2000, 9000], ['attention-causal', 'n=12,d=2', 'attenio', 12, 30, 60],
  ['attention-causal', 'n=512,d=16', 'flash2', 300, 2000], ['syrk', 'n=12,k=6', 'tiled', 8, 30, 90], ['stencil2d', 'w=6,h=6,t=3', 'strips', 12, 40], ['chain', 'n=50', 'stream', 3, 9], ['matvec', 'm=20,n=30', 'rows', 5, 60], ['mlp', '', 'fused', 20, 500]])
  for (const m of sizes) settings.push({ name: `${of}:${params}`, cdag: family(of), params, sched: library(`${of}.${schedule}`), m })
for (const name of ['gemm:ni=30,nj=20,nk=10', '2mm:ni=8,nj=9,nk=7,nl=6', 'gemm:ni=200000,nj=30000,nk=4000000', 'lu:n=40', 'jacobi-1d:tsteps=20,n=30', 'heat-3d:tsteps=2,n=5', 'covariance:m=10,n=12', 'trisolv:n=30'])
  for (const m of [12, 40, 1024, 50000]) settings.push({ name, cdag: read(`examples/polybench/${name.split(':')[0]}.cdag`), params: name.split(':')[1], m })
for (const [spec, sched, ...sizes] of [['fft:l=3', 'fft.blocked', 4, 6, 10], ['pyramid:h=6', 'pyramid.diagonal', 8, 9, 20], ['pyramid:h=40', 'pyramid.strips', 5, 12], ['tree:h=4', 'tree.depth-first', 5, 6, 12], ['hypercube:l=4', null, 5, 8], ['strassen:l=1', null, 8], ['random:n=30,seed=3,degree=2', null, 4, 7]])
  for (const m of sizes) settings.push({ name: spec, spec, sched: sched && library(sched), m })

const page = await open()
const begun = Date.now(), slow = []
let compared = 0, no = 0
for (const [k, s] of settings.entries()) {
  const spec = s.spec || 'computation.cdag' + (s.params ? ':' + s.params : ''), files = { ...(s.cdag ? { 'computation.cdag': s.cdag } : {}), ...(s.sched ? { 'schedule.sched': s.sched } : {}) }, game = ['-M', String(s.m), ...(k % 5 === 3 ? ['--rules', 'sliding'] : []), ...(k % 7 === 4 ? ['--one-shot'] : [])]
  const asked = [['bound', spec, ...game, '--proof'], ...(s.sched ? [['verify', spec, 'schedule.sched', ...game, '--json'], ['count', spec, 'schedule.sched', '-M', String(s.m), '--json']] : [['bound', spec, ...game, '--json']])]
  if (k % 10 === 0 && s.sched) asked.push(['lesson', spec, 'schedule.sched', ...game], ['bound', spec, ...game, '--certificate', '-'])
  for (const words of asked) {
    const at = Date.now()
    const here = await page.evaluate(([words, files]) => ask(words, files), [words, files]), there = native(words, files)
    check(here.code === there.code && timeless(here.out) === timeless(there.out), `${s.name}, ${words.join(' ')}: another answer: ${here.code} ${timeless(here.out).slice(0, 300)} ${here.err.slice(0, 200)} NOT ${there.code} ${timeless(there.out).slice(0, 300)}`)
    compared++
    no += there.code !== 0
    slow.push([Date.now() - at, s.name, ...words])
  }
}
console.log(`${settings.length} settings, ${compared} answers compared (${no} of them refusals) in ${((Date.now() - begun) / 1e3).toFixed(0)} s`)
if (process.env.SLOW) for (const x of slow.sort((a, b) => b[0] - a[0]).slice(0, 25)) console.log(x.join(' '))
check(settings.length >= 100, 'fewer than 100 settings')
check(no < compared / 3, 'most settings are refused')

// ---- the page ----

const text = id => page.textContent('#' + id)
check((await text('figures')).includes('160') && (await text('figures')).includes('attention-segment'), 'the first example: ' + await text('figures'))
check(await page.locator('#cdagShown .keyword').count() > 1 && await page.locator('#schedShown .keyword').count() > 3, 'no highlighting')
check(await page.evaluate(() => [...document.querySelectorAll('#schedShown .line')].map(l => l.textContent).join('\n') === document.getElementById('sched').value), 'the highlighted text is another')
await page.fill('#sched', 'load Q[0,0]\ncompute S[0,0,1]\n')
await settled(page)
check((await text('schedError')).startsWith('line 2, column 9') && (await text('schedError')).includes('S[0,0,0]'), 'an illegal move: ' + await text('schedError'))
check(await page.locator('#schedShown .line').nth(1).evaluate(l => l.classList.contains('wrong')), 'the illegal move is not marked')
check(await page.getAttribute('#sched', 'aria-invalid') === 'true', 'the illegal move is not told')
await page.fill('#cdag', (await page.inputValue('#cdag')).replace('input', 'inpt'))
await settled(page)
check(/^line \d+/.test(await text('cdagError')), 'a wrong computation: ' + await text('cdagError'))
await page.selectOption('#example', '1')
await settled(page)
check(!(await text('cdagError')) && !(await text('schedError')), 'an example has errors')
const before = await text('figures')
await page.focus('#slider')
await page.keyboard.press('End')
await settled(page)
check(await page.inputValue('#memory') === '140' && await text('figures') !== before, 'the slider changes nothing')
await page.click('#tabProof')
check((await text('panel')).includes('Claim'), 'no proof: ' + (await text('panel')).slice(0, 80))
await page.keyboard.press('ArrowRight')
check((await text('panel')).startsWith('legal'), 'no verdict: ' + (await text('panel')).slice(0, 80))
await page.keyboard.press('ArrowRight')
await page.waitForSelector('iframe')
const frame = await (await page.waitForSelector('iframe')).contentFrame()
await frame.waitForSelector('.board', { timeout: 20000 })
check(await frame.locator('.cell').count() > 100, 'the lesson shows no board')
const second = await open('#' + new URL(page.url()).hash.slice(1))
check(await second.inputValue('#memory') === '140' && await second.inputValue('#sched') === await page.inputValue('#sched'), 'a link opens something else')
await second.close()
const own = await open('#' + new URLSearchParams({ cdag: 'input A[4]\nB[i:4] = A[i]\noutput B[*]\n', params: '', schedule: 'load A[0]\n', M: '3' }))
check((await own.textContent('#schedError')).includes('output'), 'a text in a link: ' + await own.textContent('#schedError'))
await own.close()
await page.selectOption('#example', { label: 'A butterfly in blocks (FFT)' })
await settled(page)
check(!(await text('cdagError')) && !(await text('schedError')) && await page.evaluate(() => $('cdag').readOnly), 'a generated family: ' + await text('cdagError') + await text('schedError'))
check((await text('figures')).includes('64') && (await page.evaluate(() => location.hash)).includes('spec=fft'), 'a butterfly: ' + await text('figures'))
await page.fill('#params', 'l=3')
await settled(page)
check((await text('figures')).includes('moves16'), 'a smaller butterfly: ' + await text('figures'))
await page.fill('#params', 'h=3')
await settled(page)
check((await text('cdagError')).includes('h'), 'a parameter it has not: ' + await text('cdagError'))
await page.selectOption('#example', '7')
await page.waitForTimeout(330)
if (await page.isEnabled('#stop')) await page.click('#stop')
check(/stopped|done/.test(await text('state')), 'a run does not stop')
check((await page.evaluate(() => ask(['--version'], {}))).out.startsWith('redblue'), 'after a stop nothing runs')

// By the keyboard alone: Tab reaches every control in its order, each shows that it has the focus, and the answers come after them.
{
  const p = await open(), seen = []
  await p.keyboard.press('Tab')
  check(await p.evaluate(() => document.activeElement.className === 'skip' && document.activeElement.getBoundingClientRect().left >= 0), 'the first stop is the way past the controls, and it is seen')
  for (let k = 0; k < 40 && seen.at(-1) !== 'panel'; k++) {
    await p.keyboard.press('Tab')
    const now = await p.evaluate(() => ({ id: document.activeElement.id, outlined: getComputedStyle(document.activeElement).outlineStyle !== 'none' }))
    if (now.id) { seen.push(now.id); check(now.outlined, now.id + ' does not show the focus') }
  }
  check('example params library rules oneShot slider memory link cdag sched tabBounds panel'.split(' ').every((id, k, all) => seen.indexOf(id) > (k ? seen.indexOf(all[k - 1]) : -1)), 'the order of Tab: ' + seen)
  await p.focus('#sched')
  await p.keyboard.press('Control+End')
  await p.keyboard.type('laod Q[0,0]')
  await settled(p)
  check((await p.textContent('#schedError')).startsWith('line'), 'a text typed by keys alone: ' + await p.textContent('#schedError'))
  await p.close()
}

const kinds = [['#spec=fft:l=4&sched=blocked&M=10', 'tabBounds'], ['#spec=attention:n=8,d=2&sched=attenio&M=20', 'tabBounds'], ['#spec=attention:n=8,d=2&sched=attenio&M=20', 'tabProof'], ['#spec=matmul:m=4,n=4,k=4&sched=resident&M=3', 'tabVerdict']]
for (const colorScheme of ['light', 'dark'])
  for (const [hash, tab] of kinds) {
    const p = await open(hash, { colorScheme })
    await p.click('#' + tab)
    await p.addScriptTag({ path: axe })
    for (const width of [320, 768, 1920]) {
      await p.setViewportSize({ width, height: 900 })
      check(await p.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `wider than ${width}`)
      const { violations } = await p.evaluate(() => axe.run(document, matchMedia('(prefers-color-scheme: dark)').matches ? { runOnly: ['color-contrast'] } : {})) // only colours differ in the dark
      check(!violations.length, `${colorScheme}, ${tab}, ${width}: ` + violations.map(v => v.id + ' ' + v.nodes[0].html.slice(0, 120)).join('; '))
      if (process.env.SHOTS) await p.screenshot({ path: join(process.env.SHOTS, `${colorScheme}-${tab}-${width}.png`), fullPage: true })
    }
    await p.close()
  }
await context.close()
await browser.close()
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)
