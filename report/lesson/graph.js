// graph.js -- a graph in layers by depth, inputs at the bottom: names in boxes, edges led around the vertices of the layers they cross.
const SVG = 'http://www.w3.org/2000/svg', ROW = 64, HALF = 14, BENDS = 3000
function svgAdd(parent, tag, attributes) { const e = document.createElementNS(SVG, tag); for (const k in attributes) e.setAttribute(k, attributes[k]); parent.append(e); return e }
function depths() {
  const depth = new Int32Array(N), wait = PREDS.map(p => p.length), ready = [...Array(N).keys()].filter(v => !wait[v])
  for (let i = 0; i < ready.length; i++)
    for (const w of succs[ready[i]]) { depth[w] = Math.max(depth[w], depth[ready[i]] + 1); if (--wait[w] === 0) ready.push(w) }
  return depth
}
const labelOf = v => { const l = DATA.labels ? DATA.labels[v] : String(v), letters = [...l]; return letters.length > 22 ? letters.slice(0, 12).join('') + '…' + letters.slice(-9).join('') : l }

// Nodes: the vertices, and a bend for each layer an edge crosses.  below[n], above[n]: the neighbours in the next layers.
function layered() {
  const depth = depths(), layer = [], below = Array.from({ length: N }, () => []), above = Array.from({ length: N }, () => []), chains = new Map()
  const put = (n, q) => { (layer[q] = layer[q] || []).push(n) }
  for (let v = 0; v < N; v++) put(v, depth[v])
  const bends = PREDS.reduce((s, p, v) => s + p.reduce((t, u) => t + depth[v] - depth[u] - 1, 0), 0)
  PREDS.forEach((p, v) => p.forEach(u => {
    const chain = []
    let last = u
    for (let q = depth[u] + 1; q < depth[v] && bends <= BENDS; q++) {
      const n = below.length
      below.push([last])
      above.push([])
      above[last].push(n)
      put(n, q)
      chain.push(last = n)
    }
    above[last].push(v)
    below[v].push(last)
    chains.set(u + '>' + v, chain)
  }))
  return { layer, below, above, chains }
}
const placesIn = layer => { const place = []; layer.forEach(l => l.forEach((n, i) => { place[n] = i })); return place }
function crossings(g) {
  const place = placesIn(g.layer)
  let n = 0
  for (const l of g.layer) {
    const ends = l.flatMap((v, i) => g.below[v].map(u => [place[u], i]))
    if (ends.length > 600) return n
    ends.forEach(([a, b], i) => { for (let k = 0; k < i; k++) n += (ends[k][0] - a) * (ends[k][1] - b) < 0 })
  }
  return n
}
// Every vertex stands above a predecessor in the layer below: lanes, as in a butterfly, which nobody wants sorted.
function hasLanes(g) {
  const place = placesIn(g.layer), wide = g.layer[0].length
  return g.layer.every((l, q) => l.length === wide && l.every((v, i) => v < N && (!q || g.below[v].some(u => place[u] === i))))
}
// Each layer by the mean place of its neighbours, up and down a few times; the order with the fewest crossings is kept.
function arrange(g) {
  if (hasLanes(g)) return true
  let best = g.layer.map(l => [...l]), least = crossings(g)
  for (let round = 0; round < 8 && least; round++) {
    const up = round % 2 === 0, order = up ? g.layer.keys() : [...g.layer.keys()].reverse()
    for (const q of order) {
      const place = placesIn(g.layer)
      const near = up ? g.below : g.above, width = g.layer[up ? q - 1 : q + 1]
      if (!width) continue
      const mean = n => near[n].length ? near[n].reduce((s, u) => s + place[u], 0) / near[n].length : place[n] * width.length / g.layer[q].length
      const key = new Map(g.layer[q].map(n => [n, mean(n)]))
      g.layer[q].sort((a, b) => key.get(a) - key.get(b) || a - b)
    }
    const n = crossings(g)
    if (n < least) { least = n; best = g.layer.map(l => [...l]) }
  }
  g.layer = best
  return false
}
// Nearer to the neighbours above and below, in the same order and with room between: the mean of packing from the left and from the right.
function draw(g, l, at, W, gap) {
  const want = l.map(n => { const near = [...g.below[n], ...g.above[n]]; return near.length ? near.reduce((s, u) => s + at[u].x, 0) / near.length : at[n].x })
  const left = [], right = []
  l.forEach((n, i) => { left[i] = Math.max(want[i], i ? left[i - 1] + (at[l[i - 1]].w + at[n].w) / 2 + gap : at[n].w / 2 + gap / 2) })
  for (let i = l.length - 1; i >= 0; i--) right[i] = Math.min(want[i], i < l.length - 1 ? right[i + 1] - (at[l[i + 1]].w + at[l[i]].w) / 2 - gap : W - at[l[i]].w / 2 - gap / 2)
  l.forEach((n, i) => { at[n].x = Math.min(W - at[n].w / 2, Math.max(at[n].w / 2, (left[i] + right[i]) / 2)) })
}
function positions(g) {
  const width = n => n >= N ? 12 : Math.max(2 * HALF, 7.4 * [...labelOf(n)].length + 13), gap = 14
  const need = g.layer.map(l => l.reduce((s, n) => s + width(n) + gap, gap)), W = Math.max(280, ...need), H = ROW * g.layer.length, at = []
  g.layer.forEach((l, q) => {
    const space = (W - l.reduce((s, n) => s + width(n), 0)) / (l.length + 1)
    let x = space
    l.forEach(n => { at[n] = { x: x + width(n) / 2, y: H - ROW / 2 - ROW * q, w: width(n) }; x += width(n) + space })
  })
  for (let round = 0; round < 16 && !g.lanes; round++) g.layer.forEach(l => draw(g, l, at, W, gap))
  return { W, H, at }
}
// From the top of u to the foot of v; upright where it passes a layer.
function edgePath(at, u, chain, v) {
  const points = [[at[u].x, at[u].y - HALF], ...chain.map(n => [at[n].x, at[n].y]), [at[v].x, at[v].y + HALF + 3]]
  let d = 'M' + points[0].map(Math.round).join(' ')
  for (let i = 1; i < points.length; i++) {
    const [x0, y0] = points[i - 1], [x, y] = points[i], m = (y0 + y) / 2
    d += chain.length ? `C${Math.round(x0)} ${Math.round(m)} ${Math.round(x)} ${Math.round(m)} ${Math.round(x)} ${Math.round(y)}` : `L${Math.round(x)} ${Math.round(y)}`
  }
  return d
}
function addDefinitions(svg) {
  const defs = svgAdd(svg, 'defs', {}), both = svgAdd(defs, 'linearGradient', { id: 'both', x1: 0, y1: 0, x2: 1, y2: 1 })
  svgAdd(both, 'stop', { offset: '50%', 'stop-color': 'var(--red)' })
  svgAdd(both, 'stop', { offset: '50%', 'stop-color': 'var(--blue)' })
  const head = svgAdd(defs, 'marker', { id: 'head', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 6, markerHeight: 6, orient: 'auto' })
  svgAdd(head, 'path', { d: 'M0 1L8 4L0 7Z', fill: 'context-stroke' })
}
let graphSize = null
function buildGraph() {
  const g = layered(), lanes = g.lanes = arrange(g), { W, H, at } = graphSize = positions(g), side = lanes ? 34 : 0
  graphSize.W += side
  graphSize.H += lanes ? 22 : 0
  const svg = svgAdd($('board'), 'svg', { id: 'graph', viewBox: `${-side} 0 ${graphSize.W} ${graphSize.H}`, role: 'group', 'aria-label': 'The graph, inputs at the bottom' })
  addDefinitions(svg)
  if (lanes) {
    g.layer[0].forEach((v, i) => { svgAdd(svg, 'text', { x: at[v].x, y: H + 4, class: 'axis' }).textContent = i })
    g.layer.forEach((l, q) => { svgAdd(svg, 'text', { x: -side / 2, y: at[l[0]].y, class: 'axis' }).textContent = q })
    svgAdd(svg, 'text', { x: -side / 2, y: H + 4, class: 'axis' }).textContent = 'lane'
  }
  PREDS.forEach((p, v) => p.forEach(u => {
    const e = svgAdd(svg, 'path', { class: 'edge', d: edgePath(at, u, g.chains.get(u + '>' + v), v), 'marker-end': 'url(#head)' })
    Object.assign(e.dataset, { edge: u + '>' + v, from: u, to: v })
  }))
  for (let v = 0; v < N; v++) {
    const { x, y, w } = at[v], e = svgAdd(svg, 'rect', { x: x - w / 2, y: y - HALF, width: w, height: 2 * HALF, rx: HALF, tabindex: -1, role: 'button' })
    Object.assign(e.style, { width: w + 'px', height: 2 * HALF + 'px' }) // the cells of arrays have a size of their own
    e.dataset.v = v
    svgAdd(e, 'title', {}).textContent = called(v)
    svgAdd(svg, 'text', { x, y }).textContent = labelOf(v)
    cells[v] = e
  }
}
// As large as the board allows, and no smaller than can be read.
function fitGraph() {
  const board = $('board'), room = boardRoom() - 24, wide = board.clientWidth - 24
  const scale = Math.max(0.75, Math.min(2.4, wide / graphSize.W, room / graphSize.H))
  $('graph').setAttribute('width', Math.floor(graphSize.W * scale))
  $('graph').setAttribute('height', Math.floor(graphSize.H * scale))
}
