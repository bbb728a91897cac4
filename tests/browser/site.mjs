// site.mjs -- the site in headless Chromium: every page at three widths in both colour schemes, lessons in each of their tabs; nothing fetched from outside the
// folder, nothing wider than the window, axe-core without a violation, every page walked through by the keyboard alone; every slide fits its screen; answers are folded.
// node site.mjs REDBLUE FOLDER; the site is built in FOLDER/site.  SHOTS=DIR keeps a picture of each.
import { chromium } from 'playwright-core'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [redblue, folder] = process.argv.slice(2), site = join(folder, 'site'), axe = join(import.meta.dirname, 'node_modules/axe-core/axe.min.js')
let passed = 0, failed = 0
const check = (good, what) => { if (good) passed++; else { failed++; console.log('FAILED: ' + what) } }
execFileSync('python3', [join(import.meta.dirname, '../../docs/site/build.py'), redblue, site], { stdio: ['ignore', 'inherit', 'inherit'] })
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync)
const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'] })

// All of axe's rules where pages differ in their layout; in the dark only colours are others.
async function judge(page, what, dark) {
  check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${what}: wider than the window`)
  const { violations } = await page.evaluate(dark => axe.run(document, dark ? { runOnly: ['color-contrast'] } : {}), dark)
  check(!violations.length, `${what}: ` + violations.map(v => v.id + ' ' + v.nodes[0].html.slice(0, 90)).join('; '))
}

// Tab goes through everything that can be used, once, in the order of the page, and each shows the focus.
async function walk(page, name) {
  const most = 60
  await page.reload()
  const wanted = await page.evaluate(() => [...document.querySelectorAll('a[href], button, select, input, textarea, summary, [tabindex]')]
    .filter(e => e.tabIndex >= 0 && !e.disabled && e.checkVisibility({ visibilityProperty: true })).length)
  const seen = await page.evaluate(() => { window.stops = []; addEventListener('focusin', e => stops.push(e.target)); return 0 })
  for (let k = seen; k < Math.min(wanted, most); k++) await page.keyboard.press('Tab')
  const stops = await page.evaluate(() => ({
    different: new Set(stops).size, ordered: stops.every((e, k) => !k || !!(stops[k - 1].compareDocumentPosition(e) & 4)),
    hidden: stops.filter(e => getComputedStyle(e).outlineStyle === 'none' && e !== document.activeElement).length, // what had the focus has none now
    last: document.activeElement === document.body || getComputedStyle(document.activeElement).outlineStyle !== 'none',
  }))
  check(stops.different === Math.min(wanted, most), `${name}: Tab stops at ${stops.different} of ${wanted}`)
  check(stops.ordered, `${name}: Tab leaves the order of the page`)
  check(stops.last, `${name}: the focus is not seen`)
}

async function look(name) {
  const page = await browser.newPage({ viewport: { width: 320, height: 900 } })
  page.setDefaultTimeout(60000)
  page.on('pageerror', e => check(false, name + ' fails: ' + e.message))
  page.on('request', r => check(r.url().startsWith(pathToFileURL(site).href) || /^(data|blob):/.test(r.url()), name + ' asks for ' + r.url()))
  await page.goto(pathToFileURL(join(site, name)).href)
  await page.addScriptTag({ path: axe })
  const tabs = await page.evaluate(() => [...document.querySelectorAll('[role=tab]')].filter(t => t.checkVisibility()).map(t => t.id))
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme })
    for (const width of [320, 768, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      for (const tab of tabs.length ? tabs : ['']) {
        if (tab) await page.click('#' + tab)
        await judge(page, `${name} ${tab}, ${colorScheme}, ${width}`, colorScheme === 'dark')
        if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${name.replaceAll('/', '-')}-${tab}-${colorScheme}-${width}.png`) })
      }
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await walk(page, name)
  await page.close()
}

// Each slide on a projector: nothing is cut off, and the keys go from one to the next.
async function slides(name) {
  for (const [width, height] of [[1920, 1080], [1280, 720], [1024, 768]]) {
    const page = await browser.newPage({ viewport: { width, height } })
    await page.goto(pathToFileURL(join(site, name)).href)
    const n = await page.evaluate(() => slides.length)
    const cut = await page.evaluate(() => slides.filter(s => s.getBoundingClientRect().height > innerHeight + 1 || s.scrollHeight > s.clientHeight + 1).map(s => s.id))
    check(!cut.length, `${name}, ${width} x ${height}: slides ${cut} are higher than the screen`)
    for (let k = 1; k < n; k++) await page.keyboard.press(k % 2 ? 'ArrowRight' : ' ')
    check(await page.evaluate(() => location.hash) === '#' + n, `${name}: the keys end at ${await page.evaluate(() => location.hash)}, not ${n}`)
    await page.keyboard.press('Home')
    check(await page.evaluate(() => shown()) === 0, name + ': Home goes elsewhere')
    await page.close()
  }
}

// In the book the answers to each chapter wait folded away behind it, and open by a key.
async function answers() {
  const page = await browser.newPage()
  await page.goto(pathToFileURL(join(site, 'book.html')).href)
  const seen = await page.evaluate(() => [...document.querySelectorAll('section.chapter')].map(c => ({ asks: [...c.querySelectorAll('h2, h3')].some(h => h.textContent === 'Exercises'), folds: c.querySelectorAll('details:not([open])').length, shown: [...c.querySelectorAll('details > :not(summary)')].filter(e => e.checkVisibility()).length })))
  check(seen.length === 14 && seen.every(c => c.asks && c.folds === 1 && !c.shown), 'answers of the chapters: ' + JSON.stringify(seen))
  await page.focus('details summary')
  await page.keyboard.press('Enter')
  check(await page.evaluate(() => document.querySelector('details > :not(summary)').checkVisibility()), 'an answer does not open by the keyboard')
  check(await page.evaluate(() => [...document.images].every(i => i.complete && i.naturalWidth && i.alt)), 'a picture of the book is missing')
  await page.close()
}

const names = readdirSync(site, { recursive: true }).filter(f => f.endsWith('.html') && !f.startsWith('playground/')).sort(), work = names.map(n => () => look(n))
names.filter(n => n.startsWith('slides/')).forEach(n => work.push(() => slides(n)))
work.push(answers)
check(names.length > 60 && names.filter(n => n.startsWith('slides/')).length === 2, `only ${names.length} pages`)
await Promise.all([0, 1].map(async () => { for (let w; (w = work.shift());) await w().catch(e => check(false, e.message)) }))
await browser.close()
console.log(`${names.length} pages`)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)
