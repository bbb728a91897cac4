// guide.js -- the introduction in steps made from the computation and the run; links to a moment; the reader's game kept; runs with other M.
const OPEN = new URLSearchParams(location.hash.slice(1))
const count = (n, word) => grouped(n) + ' ' + word + (n === 1 ? '' : 's')
const sizeOfArray = a => TILED ? a.cuts.map(c => grouped(c.length ? c[c.length - 1] - c[0] : 0)).join(' × ') : a.elements.length && DATA.explicit ? String(a.elements.length) : shapeOf(a).slice(1, -1).replaceAll('×', ' × ')
const arraysThat = test => DATA.arrays.filter((a, k) => (TILED ? a.cuts.length : a.elements.length) && test(a, k)).map(a => `${a.name} (${sizeOfArray(a)})`).join(', ')
const partOf = (a, set) => { const n = a.elements.filter((_, i) => set[a.first + i]).length; return n === a.elements.length ? `${a.name} (${sizeOfArray(a)})` : `${n} of ${a.name} (${sizeOfArray(a)})` }
const someVertex = (a, set) => !TILED && a.elements.some((_, i) => set[a.first + i])

function aboutBoard() {
  if (DATA.explicit) return `${count(N, 'vertex').replace('vertexs', 'vertices')}, inputs at the bottom; an arrow leads from a value to what is computed from it. Outputs have a thick frame.`
  if (TILED) return `${grouped(DATA.vertices)} values, in the arrays ${arraysThat(() => true)}. Each array is drawn as a few tiles.`
  const those = set => DATA.arrays.filter(a => someVertex(a, set)).map(a => partOf(a, set)).join(', '), inputs = those(isInput), outputs = those(isOutput), rest = arraysThat(a => !someVertex(a, isInput) && !someVertex(a, isOutput))
  return `Every cell is one value. Inputs: ${inputs}. Outputs, with a thick frame: ${outputs}.` + (rest ? ` In between: ${rest}.` : '') + ' Point at a cell to see what it is computed from and what reads it.'
}
const RULES = () => `Slow memory holds blue pebbles, as many as you like; fast memory holds red ones, at most M = ${grouped(M)} at any time. At the start only the inputs are blue; at the end every output must be. ` +
  'Load: a red pebble on a blue value. Store: a blue one on a red value. Compute: a red pebble on a value whose predecessors are all red' + (SLIDING ? ', perhaps one of theirs' : '') + (ONE_SHOT ? ', once for each value' : '') + '. Red pebbles may be taken away at any time.'
const firstOf = test => { const k = plan.findIndex(test); return k < 0 ? null : k + 1 }
function fullest() { let most = 0, at = 0, reds = 0; const g = newGame(); plan.forEach(([kind, v, slide], k) => { if (broken(g, KINDS[kind], v, slide)) return; apply(g, KINDS[kind], v, slide); reds = g.reds; if (reds > most) { most = reds; at = k + 1 } }); return { most, at } }

function runSteps() {
  if (TILED || !plan.length) return []
  const load = firstOf(m => m[0] === 0), compute = firstOf(m => m[0] === 2), again = firstOf((m, k) => m[0] === 0 && plan.slice(0, k).some(p => p[0] === 0 && p[1] === m[1])), store = firstOf(m => m[0] === 1), full = fullest()
  return [
    load && { title: 'A load costs 1', text: `Watch: ${names[plan[load - 1][1]]} gets a red pebble and keeps its blue one. Every load and every store counts 1; the sum is the I/O.`, mode: 'watch', at: load },
    compute && { title: 'A compute is free', text: `All predecessors of ${names[plan[compute - 1][1]]} are red, so it may be computed. Computing costs nothing: only traffic counts.`, mode: 'watch', at: compute },
    full.most && { title: 'Fast memory is small', text: `Here most is red: ${full.most} of ${M} words. The bar above the board shows whose they are. What does not fit has to go, and may have to come back.`, mode: 'watch', at: full.at },
    again && { title: 'The same word again', text: `${names[plan[again - 1][1]]} was loaded before, and is loaded again: there was no room to keep it. Good schedules do this seldom.`, mode: 'watch', at: again },
    store && { title: 'Results go out', text: `${names[plan[store - 1][1]]} is stored: another 1.`, mode: 'watch', at: store },
    { title: 'The end of the run', text: `This schedule ends with ${count(finalIo(), 'I/O')}.` + (DATA.best ? ` The curve shows it growing; the broken line is what no pebbling can be below.` : ''), mode: 'watch', at: plan.length }]
}
function proofSteps() {
  if (!DATA.best) return []
  const io = plan.length || TILED ? finalIo() : 0, value = Number(DATA.best.value)
  const gap = io ? (io === value ? ' The schedule meets it: it is optimal.' : ` The schedule costs ${(io / value).toFixed(2)} times that.`) : ''
  return [{ title: `Why less than ${grouped(DATA.best.value)} is impossible`, text: `Below stands the argument with these numbers.${gap}` + (segments.length || richestHasSegments() ? ' The run is cut into segments; in each, few words are at hand, so little work can be done. Pick a row: its words are framed on the board.' : ''), mode: 'proof' }]
}
const richestHasSegments = () => { const b = DATA.bounds[richest()]; return b && !TILED && plan.length > 0 && viewOf(b) !== null }
function playStep() {
  if (TILED) return []
  const goal = DATA.optimum != null ? `${DATA.optimum} I/Os are possible, and no fewer.` : DATA.best ? `No pebbling costs less than ${grouped(DATA.best.value)}.` : ''
  return [{ title: plan.length ? 'Now beat it' : 'Your turn', text: `Play yourself: pick a cell, then a move. ${goal} A hint helps when you are stuck.` + (plan.length ? ` The schedule took ${grouped(finalIo())}.` : ''), mode: 'hand' }]
}
const guideSteps = () => [
  { title: 'The board', text: (DATA.summary ? DATA.summary.replace(/\.?$/, '. ') : '') + aboutBoard(), at: 0 },
  { title: 'The rules', text: RULES(), at: 0 },
  ...runSteps(), ...proofSteps(), ...playStep()].filter(s => s)

let guideAt = 0, tour = []
function showGuide(k, go) {
  guideAt = Math.max(0, Math.min(tour.length - 1, k))
  const s = tour[guideAt]
  $('guideTitle').textContent = s.title
  $('guideText').textContent = s.text
  $('guideWhere').textContent = `${guideAt + 1} of ${tour.length}`
  $('guideBack').disabled = guideAt === 0
  $('guideNext').disabled = guideAt === tour.length - 1
  if (!go) return
  if (s.mode && mode !== s.mode) setMode(s.mode)
  if (s.at !== undefined && mode === 'watch') { stop(); goTo(s.at) }
}
function openGuide(open) {
  $('guide').hidden = !open
  $('guideOpen').setAttribute('aria-expanded', open)
  fitBoard()
}

// ---- a link to what is seen: #at=100&tab=proof&bound=NAME&m=16&embed ----
let remembering = 0
function placeHash() {
  const p = new URLSearchParams()
  if (RUNS.length > 1) p.set('m', M)
  p.set('tab', mode)
  if (mode !== 'hand') p.set('at', reel.at)
  if (mode === 'proof' && bound) p.set('bound', bound.name)
  if (OPEN.has('embed')) p.set('embed', '')
  return '#' + p
}
function rememberPlace() {
  clearTimeout(remembering)
  remembering = setTimeout(() => { try { history.replaceState(null, '', placeHash()) } catch { /* a page inside a page has no address */ } }, 300)
}
function openPlace(p) {
  if (p.has('m')) { const k = RUNS.findIndex(r => String(r.m) === p.get('m')); if (k >= 0) showRun(k) }
  const i = DATA.bounds.findIndex(b => b.name === p.get('bound'))
  if (i >= 0) $('which').selectedIndex = i
  const tab = p.get('tab') || (i >= 0 ? 'proof' : '')
  if (MODES.includes(tab) && !$('tab-' + tab).hidden) setMode(tab)
  if (p.has('at') && mode !== 'hand') goTo(Number(p.get('at')) || 0)
}
async function copyLink() {
  const link = location.href.replace(/#.*/, '') + placeHash()
  try { await navigator.clipboard.writeText(link); say('Copied: ' + link) } catch { say(link) }
}

// ---- the reader's game, kept where the browser allows it ----
const gameKey = () => 'redblue ' + JSON.stringify([DATA.spec, M, DATA.rules])
const kept = () => { try { return localStorage.getItem(gameKey()) } catch { return null } }
function keepGame() { try { if (mine.log.length) localStorage.setItem(gameKey(), JSON.stringify(mine.log.map(m => [m.kind, m.v, m.slide]))); else localStorage.removeItem(gameKey()) } catch { /* not here */ } }
function fetchGame() {
  mine = newGame()
  undone = []
  try { for (const [kind, v, slide] of JSON.parse(kept() || '[]')) { if (!KINDS.includes(kind) || !(v >= 0 && v < N) || broken(mine, kind, v, slide)) break; apply(mine, kind, v, slide) } } catch { mine = newGame() }
}

// ---- runs with other M ----
const RUNS = [{ m: DATA.m, moves: DATA.moves, bounds: DATA.bounds, best: DATA.best, optimum: DATA.optimum, schedule_params: DATA.schedule_params }, ...(DATA.runs || [])]
  .sort((p, q) => p.m - q.m).filter((r, i, all) => !i || r.m !== all[i - 1].m)
const runAt = () => RUNS.findIndex(r => r.m === M)
function showRun(k) {
  stop()
  Object.assign(DATA, RUNS[k])
  M = DATA.m
  segments = []
  if (!TILED) { plan = vertexPlan(); vertexReel.at = 0; vertexReel.watched = newGame(); shown = []; fetchGame() }
  $('at').max = reel.length
  fillTitle()
  fillBounds()
  fillParameters()
  prepareBound()
  tour = guideSteps()
  showGuide(Math.min(guideAt, tour.length - 1), false)
  const where = mode
  mode = ''
  setMode(where)
  paintAll()
}
// The bound that is shown first, and its segments, before its tab is opened.
function prepareBound() {
  $('which').selectedIndex = richest()
  bound = DATA.bounds[richest()]
  const view = bound && !TILED && plan.length ? viewOf(bound) : null
  if (view) cutIntoSegments(view)
}
