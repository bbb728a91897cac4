// chart.js -- I/O over the moves, against the bound; where a proof cuts the run into segments they are marked.  A step that stands for
// many iterations is as wide as the moves in it.
let chart = null
const ioOfRun = () => TILED ? DATA.sights.slice(1).map(s => moved(s, 1) + moved(s, 2)) : plan.map(([kind]) => kind < 2 ? 1 : 0)
const movesOfRun = () => TILED ? DATA.sights.slice(1).map(s => moved(s, 1) + moved(s, 2) + s[5]) : plan.map(() => 1)
const ioOfHand = () => mine.log.map(m => m.kind === 'load' || m.kind === 'store' ? 1 : 0)
function curveOf(steps) { const out = [0]; steps.forEach(s => out.push(out[out.length - 1] + s)); return out }
function drawChart() {
  const byHand = mode === 'hand', curve = curveOf(byHand ? ioOfHand() : ioOfRun()), limit = DATA.best ? Number(DATA.best.value) : 0, end = curve[curve.length - 1]
  $('chart').hidden = !DATA.best && curve.length < 2
  if ($('chart').hidden) return
  const W = Math.max(240, $('chart').clientWidth), H = 118, left = 8, right = 8, foot = 20, top = 16, last = Math.max(1, curve.length - 1), most = Math.max(1, limit, end, byHand ? finalIo() : 0) * 1.05
  const at = curveOf(byHand ? curve.slice(1).fill(1) : movesOfRun()), all = Math.max(1, at[at.length - 1])
  const x = k => left + (W - left - right) * at[k] / all, y = io => H - foot - (H - foot - top) * io / most, r = n => n.toFixed(1)
  const svg = document.createElementNS(SVG, 'svg')
  svgAdd(svg, 'rect', { x: left, y: top, width: W - left - right, height: H - foot - top, class: 'plain' })
  if (!byHand) segmentEnds().forEach(([from, to], i) => i % 2 || svgAdd(svg, 'rect', { x: x(from), y: top, width: Math.max(1, x(to) - x(from)), height: H - foot - top, class: 'band' }))
  const every = Math.max(1, Math.floor(curve.length / 1500)), points = curve.map((io, k) => [k, io]).filter(([k]) => k % every === 0 || k === last)
  svgAdd(svg, 'path', { d: 'M' + points.map(([k, io]) => r(x(k)) + ' ' + r(y(io))).join('L'), class: 'curve' })
  if (limit) {
    svgAdd(svg, 'line', { x1: left, x2: W - right, y1: y(limit), y2: y(limit), class: 'bound' })
    svgAdd(svg, 'text', { x: left + 4, y: y(limit) - 4, class: 'boundText' }).textContent = 'at least ' + grouped(DATA.best.value)
  }
  // under the part of the curve that it stands beside
  const label = byHand ? `you: ${grouped(end)}` : grouped(end), beside = curve.findIndex((_, k) => x(k) >= W - right - 4 - 7.5 * label.length)
  const under = y(curve[Math.max(0, beside - 1)]) + 14
  svgAdd(svg, 'text', { x: W - right - 4, y: Math.min(H - foot - 4, end > 0.8 * most ? under : y(end) - 4), class: 'end' }).textContent = label
  svgAdd(svg, 'text', { x: left, y: H - 5 }).textContent = 'I/O over ' + (byHand ? 'your moves' : (curve.length < 2 ? 'the moves' : grouped(all) + (TILED ? ' loads, stores and computes' : ' moves')) + (segmentEnds().length ? ', bands: the segments of the proof' : ''))
  for (const [k, v] of Object.entries({ viewBox: `0 0 ${W} ${H}`, width: W, height: H, role: 'img', 'aria-label': `I/O over the moves: it ends at ${end}` + (limit ? `, and no pebbling ends below ${limit}` : '') })) svg.setAttribute(k, v)
  $('chart').replaceChildren(svg)
  chart = { svg, x, y, curve, at, all, top, foot: H - foot, last, left, right, W, byHand, cursor: svgAdd(svg, 'line', { class: 'cursor', y1: top, y2: H - foot }), dot: svgAdd(svg, 'circle', { r: 4, class: 'dot' }) }
  moveCursor()
}
// The segments of the bound that is shown, or of the best one.
function segmentEnds() {
  if (TILED || !plan.length || !segments.length) return []
  return segments.map(s => [s.from, s.to])
}
const finalIo = () => TILED ? DATA.verdict.loads + DATA.verdict.stores : curveOf(ioOfRun()).pop()
function moveCursor() {
  if (!chart) return
  const k = Math.min(chart.last, chart.byHand ? mine.log.length : reel.at), x = chart.x(k)
  chart.cursor.setAttribute('x1', x)
  chart.cursor.setAttribute('x2', x)
  chart.dot.setAttribute('cx', x)
  chart.dot.setAttribute('cy', chart.y(chart.curve[Math.min(k, chart.curve.length - 1)]))
}
function chartClick(e) {
  if (!chart || chart.byHand) return
  const box = chart.svg.getBoundingClientRect(), part = ((e.clientX - box.x) * chart.W / box.width - chart.left) / (chart.W - chart.left - chart.right)
  stop()
  goTo(chart.at.reduce((best, m, k) => Math.abs(m - part * chart.all) < Math.abs(chart.at[best] - part * chart.all) ? k : best, 0))
}
