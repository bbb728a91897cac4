// site.mjs -- the site in headless Chromium: every page at three widths in both colour schemes, nothing fetched from elsewhere, axe-core without a violation.
// node site.mjs REDBLUE FOLDER; the site is built in FOLDER/site.
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
for (const name of readdirSync(site, { recursive: true }).filter(f => f.endsWith('.html') && !(f.startsWith('lessons/') && !f.endsWith('index.html')))) {
  for (const colorScheme of ['light', 'dark']) {
    const page = await browser.newPage({ colorScheme })
    page.on('pageerror', e => check(false, name + ' fails: ' + e.message))
    page.on('request', r => check(r.url().startsWith(pathToFileURL(site).href) || /^(data|blob):/.test(r.url()), name + ' asks for ' + r.url()))
    await page.goto(pathToFileURL(join(site, name)).href)
    for (const width of [320, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name}: wider than ${width}`)
      if (!existsSync(axe) || width === 1920) continue
      if (width === 320) await page.addScriptTag({ path: axe })
      const { violations } = await page.evaluate(() => axe.run())
      check(!violations.length, `${name}, ${colorScheme}, ${width}: ` + violations.map(v => v.id + ' ' + v.nodes[0].html.slice(0, 90)).join('; '))
    }
    await page.close()
  }
}
await browser.close()
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)
