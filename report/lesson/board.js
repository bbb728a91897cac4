// board.js -- what is seen: the cells of the arrays or the circles of a graph, the counters, the words in fast memory.
const cells = new Array(N)
let game = newGame(), pick = -1, mode = 'watch', shown = []
const marks = { need: new Set(), cut: new Set(), set: new Set(), pre: new Set(), suc: new Set() }

const grouped = n => typeof n === 'number' && Math.abs(n) < 10000 ? String(n) : String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ',')
function el(tag, props, ...kids) { const e = document.createElement(tag); Object.assign(e, props || {}); e.append(...kids); return e }
function rowOf(tag, texts) { return el('tr', {}, ...texts.map(t => { const c = el(tag, { textContent: t }); if (tag === 'th') c.scope = 'col'; return c })) }
function say(text, bad) {
  $('say').setAttribute('aria-live', bad ? 'assertive' : 'polite')
  $('say').textContent = text
  $('say').className = bad ? 'say bad' : 'say'
}

// ---- one vertex ----
const isUsedUp = (g, v) => succs[v].every(w => g.computed[w] && isComplete(g, w))
function cellClass(v) {
  const g = game, r = g.red[v], b = g.blue[v], owed = isOutput[v] && !b
  let c = 'cell'
  if (r && b) c += ' both'
  else if (r) c += ' red'
  else if (b) c += ' blue'
  if (!r && g.touched[v] && isUsedUp(g, v) && !owed && !(b && isOutput[v])) c += ' dead'
  else if (!r && !b && g.computed[v]) c += ' done'
  return c + (isOutput[v] ? ' out' : '')
}
function stateWord(v) {
  const r = game.red[v], b = game.blue[v]
  const part = PARTIAL && !isComplete(game, v) && isBegun(game, v) ? ', incomplete' : ''
  return (r && b ? 'red and blue' : r ? 'red' : b ? 'blue' : game.computed[v] ? 'computed, no pebble' : 'empty') + part
}
function paint(v) {
  const e = cells[v]
  if (!e) return
  const extra = (shown.includes(v) ? ' now' : '') + (v === pick && mode === 'hand' ? ' pick' : '') + (marks.need.has(v) ? ' need' : '') +
    (marks.cut.has(v) ? ' cut' : '') + (marks.set.has(v) ? ' set' : '') + (marks.pre.has(v) ? ' pre' : '') + (marks.suc.has(v) ? ' suc' : '') + (e.dataset.group ? ' group' : '')
  const c = cellClass(v)
  e.setAttribute('class', c + extra)
  e.setAttribute('aria-label', called(v) + ', ' + stateWord(v) + (isOutput[v] ? ', output' : '') + (isInput[v] ? ', input' : ''))
  if (e.nextSibling && e.nextSibling.tagName === 'text') e.nextSibling.setAttribute('class', / red| blue| both/.test(c) ? 'on' : '')
}
function paintAll() { for (let v = 0; v < N; v++) paint(v) }

// ---- the numbers ----
const hue = k => (270 + k * 137) % 360
// words: by array, of M; the rest is free
function paintMemory(words) {
  const used = words.reduce((s, w) => s + w, 0), names = DATA.arrays.map(a => a.name)
  $('memory').replaceChildren(...words.map((w, k) => { const i = el('i'); i.style.width = 100 * w / M + '%'; i.style.setProperty('--hue', hue(k)); return i }))
  const parts = words.flatMap((w, k) => { const i = el('i'); i.style.setProperty('--hue', hue(k)); return w ? [el('span', {}, i, names[k] + ' ' + grouped(w)), ' '] : [] })
  $('memoryWords').replaceChildren(...parts, 'free ' + grouped(M - used))
  $('memory').setAttribute('aria-label', 'fast memory: ' + words.map((w, k) => w ? names[k] + ' ' + w + ', ' : '').join('') + 'free ' + (M - used))
}
function paintCounters(c) {
  $('loads').textContent = grouped(c.loads)
  $('stores').textContent = grouped(c.stores)
  $('io').textContent = grouped(c.loads + c.stores)
  $('red').textContent = grouped(c.reds)
  $('peak').textContent = grouped(c.peak)
  const rows = $('traffic').tBodies[0].rows
  DATA.arrays.forEach((a, k) => { rows[k].cells[1].textContent = grouped(c.loadsOf[k]); rows[k].cells[2].textContent = grouped(c.storesOf[k]) })
  paintMemory(c.redsOf)
}
// For those who hear the page: after a step or a move by hand, not while running.
function speak(c) { $('spoken').textContent = `loads ${c.loads}, stores ${c.stores}, red ${c.reds} of ${M}` }
const numbers = () => paintCounters(game)

function paintLegend(words) {
  $('legend').replaceChildren(...words.map(([c, text]) => { const i = el('i', { className: 'cell ' + c }); return el('span', {}, i, text) }))
}

// ---- arrays as matrices ----
const byNumbers = (p, q) => { for (let i = 0; i < p.length; i++) if (p[i] !== q[i]) return p[i] - q[i]; return 0 }
// rows: the first index; columns: the others, in lexicographic order of the positions that occur
function places(a) {
  const rows = [...new Set(a.elements.map(x => x[0]))].sort((p, q) => p - q)
  const keys = [...new Map(a.elements.map(x => [x.slice(1).join(','), x.slice(1)])).values()].sort(byNumbers)
  return { row: new Map(rows.map((r, i) => [r, i + 1])), column: new Map(keys.map((k, i) => [k.join(','), i + 1])), keys }
}
const LINE = 32
const shapeOf = a => '[' + a.elements[0].map((_, r) => { const s = new Set(a.elements.map(x => x[r])); return s.size }).join('×') + ']'
function buildArray(a) {
  const { row, column, keys } = places(a), rank = a.elements[0].length
  const line = rank === 1 // one index: a line across, as wide for every such array, so that a[i] stands below x[i]
  const begins = new Set(keys.filter((k, i) => i && k.length > 1 && k[k.length - 2] !== keys[i - 1][k.length - 2]).map(k => k.join(',')))
  const grid = el('div', { className: 'grid' })
  grid.setAttribute('role', 'group')
  grid.setAttribute('aria-label', 'Array ' + a.name)
  a.elements.forEach((x, i) => {
    const v = a.first + i, e = el('button', { type: 'button', title: names[v], tabIndex: -1 }), key = x.slice(1).join(',')
    e.dataset.v = v
    if (begins.has(key)) e.dataset.group = 1
    e.style.gridRow = line ? Math.floor((row.get(x[0]) - 1) / LINE) + 1 : row.get(x[0])
    e.style.gridColumn = line ? (row.get(x[0]) - 1) % LINE + 1 : column.get(key)
    cells[v] = e
    grid.append(e)
  })
  return el('div', { className: line ? 'line' : '' }, arrayTitle(a.name, shapeOf(a)), grid)
}
// The name with the colour it has in the bar of fast memory.
function arrayTitle(name, shape) {
  const swatch = el('i', { className: 'swatch' })
  swatch.style.setProperty('--hue', hue(DATA.arrays.findIndex(a => a.name === name)))
  return el('h2', {}, swatch, name, el('small', { textContent: shape }))
}
function buildArrays() {
  $('board').append(el('div', { className: 'arrays' }, ...DATA.arrays.filter(a => a.elements.length).map(buildArray)))
}

// The height there is: down to the foot of the window, where the page is wide enough for columns.
function boardRoom() {
  const board = $('board')
  board.style.maxHeight = ''
  if (innerWidth > 820) board.style.maxHeight = Math.max(460, innerHeight - (board.getBoundingClientRect().top + scrollY) - 130) + 'px'
  return parseFloat(getComputedStyle(board).maxHeight) || innerHeight * 0.7
}
// The largest cells with which all arrays are seen at once.
function fitArrays() {
  const board = $('board'), room = boardRoom()
  const least = N > 1500 ? 11 : N > 200 ? 14 : 20, fits = px => { board.style.setProperty('--size', px + 'px'); return board.scrollHeight <= room + 1 && board.firstElementChild.scrollWidth <= board.clientWidth - 22 }
  let lo = least, hi = 60
  while (lo < hi) { const middle = Math.ceil((lo + hi) / 2); if (fits(middle)) lo = middle; else hi = middle - 1 }
  fits(lo)
}
function fitBoard() { if (TILED) boardRoom(); else if (DATA.explicit) fitGraph(); else fitArrays() }

// ---- what a vertex is computed from, and what reads it ----
const listed = list => list.slice(0, 12).map(called).join(', ') + (list.length > 12 ? ` and ${list.length - 12} more` : '')
function showNeighbours(v) {
  const old = [...marks.pre, ...marks.suc]
  marks.pre = new Set(v < 0 ? [] : PREDS[v])
  marks.suc = new Set(v < 0 ? [] : succs[v])
  ;[...old, ...marks.pre, ...marks.suc].forEach(paint)
  document.querySelectorAll('.hover-lines').forEach(e => e.remove())
  document.querySelectorAll('.edge.near').forEach(e => e.classList.remove('near'))
  $('about').textContent = v < 0 ? '' : called(v) + ', ' + stateWord(v) + ': ' + (PREDS[v].length ? 'from ' + listed(PREDS[v]) : 'an input') + (succs[v].length ? '; read by ' + listed(succs[v]) : '; nothing reads it') + (isOutput[v] ? '; an output' : '')
  if (v >= 0 && DATA.explicit) document.querySelectorAll(`.edge[data-to="${v}"], .edge[data-from="${v}"]`).forEach(e => e.classList.add('near'))
  if (v >= 0 && !DATA.explicit && N <= 2000) drawLines([...PREDS[v].map(u => [u, v, 'from']), ...succs[v].map(w => [v, w, 'to'])], 'overlay hover-lines')
}
// Lines over the board between cells of arrays: [from, to, class].
function drawLines(list, name) {
  const home = document.querySelector('.arrays'), r0 = home.getBoundingClientRect()
  const svg = svgAdd(home, 'svg', { class: name, width: home.scrollWidth, height: home.scrollHeight, 'aria-hidden': true })
  const middle = v => { const r = cells[v].getBoundingClientRect(); return [r.x - r0.x + r.width / 2, r.y - r0.y + r.height / 2] }
  list.forEach(([u, v, c]) => { const [x1, y1] = middle(u), [x2, y2] = middle(v); svgAdd(svg, 'line', { x1, y1, x2, y2, class: c }) })
}

// ---- picking ----
function choose(v, focus) {
  const old = pick
  pick = v
  if (old >= 0) { paint(old); cells[old].setAttribute('tabindex', -1) }
  marks.need.forEach(u => { marks.need.delete(u); paint(u) })
  if (v < 0) return
  cells[v].setAttribute('tabindex', 0)
  if (focus) cells[v].focus()
  if (mode === 'hand') describePick(v)
  paint(v)
}
function describePick(v) {
  PREDS[v].forEach((u, i) => { if (PARTIAL ? !game.inside[v][i] && !isReady(game, u) : !game.red[u]) { marks.need.add(u); paint(u) } })
  $('picked').textContent = called(v) + ': ' + stateWord(v) + (PREDS[v].length ? '; from ' + PREDS[v].map(called).join(', ') : '; an input')
  $('slideRow').hidden = !PREDS[v].length || !SLIDING
  const keep = $('slide').value
  $('slide').replaceChildren(el('option', { value: -1, textContent: 'nobody: a new pebble' }), ...PREDS[v].map(u => el('option', { value: u, textContent: called(u) })))
  $('slide').value = [...$('slide').options].some(o => o.value === keep) ? keep : -1
}
// The nearest vertex in the direction of an arrow key.
function walk(key) {
  const v = Number(document.activeElement.dataset.v ?? -1), dir = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key]
  if (!(v >= 0) || !dir) return false
  const middle = u => { const r = cells[u].getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] }
  const [cx, cy] = middle(v)
  let best = -1, least = Infinity
  for (let u = 0; u < N; u++) {
    if (u === v) continue
    const [x, y] = middle(u), along = (x - cx) * dir[0] + (y - cy) * dir[1], across = Math.abs((x - cx) * dir[1]) + Math.abs((y - cy) * dir[0])
    if (along > 1 && along + 3 * across < least) { least = along + 3 * across; best = u }
  }
  if (best >= 0) choose(best, true)
  return true
}
