// board.js -- what is seen: the cells of the arrays or the circles of a graph, the counters, the words in fast memory.
const cells = new Array(N)
let game = newGame(), pick = -1, mode = 'watch', shown = []
const marks = { need: new Set(), cut: new Set(), set: new Set() }

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
    (marks.cut.has(v) ? ' cut' : '') + (marks.set.has(v) ? ' set' : '') + (e.dataset.group ? ' group' : '')
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
const shapeOf = a => '[' + a.elements[0].map((_, r) => { const s = new Set(a.elements.map(x => x[r])); return s.size }).join('×') + ']'
function buildArray(a) {
  const { row, column, keys } = places(a), rank = a.elements[0].length
  const flat = rank === 1 && a.elements.length > 8, wide = Math.ceil(Math.sqrt(a.elements.length) * 1.6)
  const begins = new Set(keys.filter((k, i) => i && k.length > 1 && k[k.length - 2] !== keys[i - 1][k.length - 2]).map(k => k.join(',')))
  const grid = el('div', { className: 'grid' })
  grid.setAttribute('role', 'group')
  grid.setAttribute('aria-label', 'Array ' + a.name)
  a.elements.forEach((x, i) => {
    const v = a.first + i, e = el('button', { type: 'button', title: names[v], tabIndex: -1 }), key = x.slice(1).join(',')
    e.dataset.v = v
    if (begins.has(key)) e.dataset.group = 1
    e.style.gridRow = flat ? Math.floor(i / wide) + 1 : row.get(x[0])
    e.style.gridColumn = flat ? i % wide + 1 : column.get(key)
    cells[v] = e
    grid.append(e)
  })
  return el('div', {}, el('h2', {}, a.name, el('small', { textContent: shapeOf(a) })), grid)
}
function buildArrays() {
  if (N > 500) $('board').style.setProperty('--size', N > 1500 ? '.8rem' : '1.1rem')
  $('board').append(el('div', { className: 'arrays' }, ...DATA.arrays.filter(a => a.elements.length).map(buildArray)))
}

// ---- a graph in layers by depth ----
const SVG = 'http://www.w3.org/2000/svg'
function svgAdd(parent, tag, attributes) { const e = document.createElementNS(SVG, tag); for (const k in attributes) e.setAttribute(k, attributes[k]); parent.append(e); return e }
function layersOf() {
  const depth = new Int32Array(N), wait = PREDS.map(p => p.length), ready = [...Array(N).keys()].filter(v => !wait[v]), layers = []
  for (let i = 0; i < ready.length; i++)
    for (const w of succs[ready[i]]) { depth[w] = Math.max(depth[w], depth[ready[i]] + 1); if (--wait[w] === 0) ready.push(w) }
  for (const v of ready) (layers[depth[v]] = layers[depth[v]] || []).push(v)
  return layers
}
// In each layer evenly; the layers in their own order, or each vertex near the middle of its predecessors.
function spread(layers, byMean) {
  const share = new Float64Array(N), mean = v => PREDS[v].reduce((s, u) => s + share[u], 0) / PREDS[v].length
  layers.map(l => [...l].sort((a, b) => a - b)).forEach((layer, q) => {
    if (q && byMean) layer.sort((a, b) => mean(a) - mean(b) || a - b)
    layer.forEach((v, i) => { share[v] = (i + 1) / (layer.length + 1) })
  })
  return share
}
function crossings(share) {
  const edges = PREDS.flatMap((p, v) => p.map(u => [share[u], share[v]]))
  if (edges.length > 1500) return 0
  return edges.reduce((n, [a, b], i) => n + edges.slice(0, i).filter(([c, d]) => (a - c) * (b - d) < 0).length, 0)
}
function positions(layers) {
  const own = spread(layers, false), mean = spread(layers, true), share = crossings(mean) < crossings(own) ? mean : own
  const W = Math.max(300, 40 * (1 + Math.max(...layers.map(l => l.length)))), H = 52 * layers.length, at = []
  layers.forEach((layer, q) => layer.forEach(v => { at[v] = [share[v] * W, H - 26 - 52 * q] }))
  return { W, H, at }
}
function buildGraph() {
  const { W, H, at } = positions(layersOf()), svg = svgAdd($('board'), 'svg', { viewBox: `0 0 ${W} ${H}`, width: W, height: H, role: 'group', 'aria-label': 'The graph, inputs at the bottom' })
  const both = svgAdd(svgAdd(svg, 'defs', {}), 'linearGradient', { id: 'both', x1: 0, y1: 0, x2: 1, y2: 1 })
  svgAdd(both, 'stop', { offset: '50%', 'stop-color': 'var(--red)' })
  svgAdd(both, 'stop', { offset: '50%', 'stop-color': 'var(--blue)' })
  PREDS.forEach((p, v) => p.forEach(u => { svgAdd(svg, 'line', { x1: at[u][0], y1: at[u][1], x2: at[v][0], y2: at[v][1] }).dataset.edge = u + '>' + v }))
  for (let v = 0; v < N; v++) {
    const label = DATA.labels ? DATA.labels[v] : String(v), letters = [...label]
    const e = svgAdd(svg, 'circle', { cx: at[v][0], cy: at[v][1], r: 15, tabindex: -1, role: 'button' })
    e.dataset.v = v
    svgAdd(e, 'title', {}).textContent = called(v)
    svgAdd(svg, 'text', { x: at[v][0], y: at[v][1] }).textContent = letters.length > 4 ? letters.slice(0, 3).join('') + '…' : label
    cells[v] = e
  }
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
