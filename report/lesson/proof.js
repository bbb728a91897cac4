// proof.js -- the bound before the reader's eyes: the run cut into segments, the arithmetic, the cut of a wavefront.
let segments = [], bound = null

// ---- the run in segments ----
// What a record says to the table: the first segment has T1 events, the others T; they do at most h1 and h; the weight of a step
// by the array it is counted in.
function viewOf(b) {
  const p = b.parameters || {}
  if (isReach(b) && !TILED && allLive()) return { firsts: true, weight: new Map(DATA.arrays.map(a => [a.name, 1])), T1: p.T, T: p.T, h1: p.first, h: p.later, births: 0 }
  const kinds = p.kinds && p.kinds.every(k => isCount(k.weight)) ? p.kinds.map(k => [k.statement, k.weight]) : p.scores && p.share === undefined ? [[p.statement, 1], [p.scores, 1]]
    : p.dQ && p.most_first !== undefined && !p.loads ? [p.dQ, p.dK, p.dV].map(n => [n, 4 * p.d]) : p.statement && p.share === undefined ? [[p.statement, 1]] : null
  if (!kinds || ![p.first, p.length, p.most, p.most_first, p.births].every(isCount) || !kinds.every(k => DATA.arrays.some(a => a.name === k[0]) && isCount(k[1]))) return null
  return { weight: new Map(kinds), T1: p.first, T: p.length, h1: p.most_first, h: p.most, work: p.work, births: p.births }
}
const chainStep = v => { const list = PREDS[v].filter(u => arrayOf[u] === arrayOf[v]); return list.length ? list[0] : -1 }
// Any graph: the first compute of every vertex.
function firstComputes() {
  const canonical = new Uint8Array(plan.length), g = newGame()
  let played = 0
  for (const [kind, v, slide] of plan) {
    if (broken(g, KINDS[kind], v, slide)) break
    if (kind === 2 && !g.computed[v]) canonical[played] = 1
    apply(g, KINDS[kind], v, slide)
    played++
  }
  return { canonical, played }
}
// The computes that count: for each chain one compute of its end, and back along the chain the computes its value came from.
function canonicalComputes(weight) {
  const counted = v => weight.has(DATA.arrays[arrayOf[v]].name), from = new Int32Array(N).fill(-1), kept = new Int32Array(N).fill(-1)
  const before = new Int32Array(plan.length).fill(-1), end = new Map(), canonical = new Uint8Array(plan.length), g = newGame()
  let played = 0
  for (const [kind, v, slide] of plan) {
    if (broken(g, KINDS[kind], v, slide)) break
    if (kind === 0) from[v] = kept[v]
    if (kind === 1) kept[v] = from[v]
    if (kind === 2 && counted(v)) {
      const u = chainStep(v)
      before[played] = u >= 0 ? from[u] : -1
      from[v] = played
      if (!succs[v].some(w => arrayOf[w] === arrayOf[v]) && !end.has(v)) end.set(v, played)
    }
    apply(g, KINDS[kind], v, slide)
    played++
  }
  for (let k of end.values()) for (; k >= 0; k = before[k]) canonical[k] = 1
  return { canonical, played }
}
function cutIntoSegments(view) {
  const { canonical, played } = view.firsts ? firstComputes() : canonicalComputes(view.weight), g = newGame()
  let s = null
  segments = []
  plan.slice(0, played).forEach(([kind, v, slide], k) => {
    const step = canonical[k] ? view.weight.get(DATA.arrays[arrayOf[v]].name) : 0, birth = step > 0 && view.births > 0 && chainStep(v) < 0, event = kind === 0 || birth
    if (event && (!s || (segments.length === 1 ? s.events === view.T1 : view.T > 0 && s.events === view.T))) {
      const red = []
      for (let u = 0; u < N; u++) if (g.red[u]) red.push(u)
      segments.push(s = { from: k, to: k, events: 0, loads: 0, births: 0, work: 0, D: new Set(red), start: red.length })
    }
    apply(g, KINDS[kind], v, slide)
    if (!s) return
    s.to = k + 1
    s.events += event ? 1 : 0
    if (kind === 0) { s.loads++; s.D.add(v) }
    s.births += birth ? 1 : 0
    s.work += step
  })
}
// What limits segment k; a bound of one segment says nothing of the rest of the run.
const limitOf = (view, k) => !k ? { X: view.T1, h: view.h1 } : view.T ? { X: M + view.T - (view.firsts ? 1 : 0), h: view.h } : null
const within = (n, limit) => limit === undefined ? String(n) : `${n} ≤ ${limit}`
function cellsOfRow(row, tag) { return el('tr', {}, ...row.map(t => { const c = el(tag, {}); if (t && t.title) { c.title = t.title; c.textContent = t.text } else c.textContent = t; if (tag === 'th') c.scope = 'col'; return c })) }
function segmentTable(view) {
  const head = [{ text: '#', title: 'segment' }, 'moves', 'loads', 'births', { text: '|D|', title: 'words red at the start or loaded in the segment' },
    { text: 'words ≤ X', title: '|D| + births; X: M and the events of a segment' }, { text: 'work ≤ h', title: 'counted steps; h: what X words allow' }]
  const body = el('tbody'), total = f => segments.reduce((s, x) => s + f(x), 0)
  segments.forEach((s, k) => {
    const limit = limitOf(view, k) || {}, words = s.D.size + s.births
    const tr = cellsOfRow([limit.X === undefined ? 'rest' : k + 1, s.from + 1 + '–' + s.to, s.loads, s.births, s.D.size, within(words, limit.X), within(s.work, limit.h)], 'td')
    tr.tabIndex = 0
    tr.setAttribute('aria-label', `segment ${k + 1}: moves ${s.from + 1} to ${s.to}; words ${within(words, limit.X)}; work ${within(s.work, limit.h)}`.replace(/≤/g, 'of at most'))
    tr.onclick = () => goTo(s.to)
    tr.onkeydown = e => { if (e.key === 'Enter' || e.key === ' ') { e.preventDefault(); tr.onclick() } }
    body.append(tr)
  })
  const foot = cellsOfRow(['all', '', total(s => s.loads), total(s => s.births), '', '', total(s => s.work)], 'td')
  const table = el('table', { id: 'segments' }, el('thead', {}, cellsOfRow(head, 'th')), body, el('tfoot', {}, foot))
  if (!view.births) for (const row of table.rows) row.cells[3].hidden = true
  return el('div', { className: 'scroll', tabIndex: 0 }, table)
}
function segmentPart(b, view) {
  cutIntoSegments(view)
  const chains = [...view.weight.keys()].join(', '), steps = view.weight.size > 1 || [...view.weight.values()][0] !== 1 ? 'work, in units of weight' : 'steps'
  const text = (view.T ? `The run is cut into segments of ${view.T1} events, then ${view.T} each.` : `The bound is one segment: ${view.T1} events cannot do all the work, so there are more. What the run does after them is the rest.`) + ` An event is a load` + (view.births ? `, or a birth: the first compute of a chain of ${chains}` : '') +
    `. D holds the words red at a segment's start or loaded in it. ` + (view.firsts ? 'Counted are the vertices computed for the first time.' : `What is counted: ${steps} of ${chains}. A step computed several times counts once: only the compute on which the chain's final value depends.`)
  return [el('h2', { textContent: 'This run, in segments' }), el('p', { id: 'segText', textContent: text }), segmentTable(view), el('p', { id: 'segD', className: 'note' })]
}
// A large run is not kept move by move; its averages are exact all the same.
function averagePart(b, view) {
  const v = DATA.verdict, events = v.loads + view.births, n = view.T ? 1 + Math.max(0, Math.ceil((events - view.T1) / view.T)) : 1
  return [el('h2', { textContent: 'This run, in segments' }), el('ul', { className: 'sum' }, ...[
    `${num(v.loads)} loads and ${num(view.births)} births: ${num(events)} events, in ${num(n)} segments`,
    `each does ${num(view.work / n)} of the work on average; none can do more than h(X) = ${num(view.h)}`,
    `the bound allows ${num(b.parameters.segments)} segments and not one less`].map(t => el('li', { textContent: t })))]
}
function lightSegment() {
  if (mode !== 'proof' || TILED || !segments.length || !$('segments')) return
  const now = segments.findIndex(s => reel.at > s.from && reel.at <= s.to), body = $('segments').tBodies[0]
  segments.forEach((s, k) => body.rows[k].classList.toggle('lit', k === now))
  const old = [...marks.set]
  marks.set = now < 0 ? new Set() : segments[now].D
  old.forEach(paint)
  marks.set.forEach(paint)
  const names = [...marks.set].map(called)
  $('segD').textContent = now < 0 ? 'Pick a segment: its D is marked on the board.' : `D of segment ${now + 1}: ` + (names.slice(0, 40).join(', ') || 'empty') + (names.length > 40 ? ` and ${names.length - 40} more` : '')
}

// ---- lines ----
function lines(title, list) { return list.length ? [el('h2', { textContent: title }), el('ul', { className: 'sum' }, ...list.map(t => el('li', { textContent: t })))] : [] }
// The displayed maximum is real; the record's h is the integer that was proved, perhaps smaller because the arrays end.
function worksPart(b, p) {
  const out = [], add = (X, h) => {
    const w = worksOf(b, X)
    if (!w) return
    const said = w.H !== null && isCount(h) ? (Math.floor(w.H * (1 + 1e-12)) === h ? `h(${num(X)}) = ${num(h)}` : h > w.H && h < w.H + 2 ? `h(${num(X)}) = ${num(h)}, rounded up` : `the record has h(${num(X)}) = ${num(h)}${h < w.H ? ', smaller because the arrays end' : ''}`) : ''
    out.push(el('h3', { textContent: `X = ${num(X)}` }), el('ul', { className: 'sum' }, ...[...w.lines, said].filter(t => t).map(t => el('li', { textContent: t }))))
  }
  const q = b.name === 'backward-14' ? p.loads : p
  if (b.name === 'backward-14' && p.length) add(M + p.length, p.most)
  else {
    if (q.segments > 1) add(M + q.length, q.most)
    if (q.first && !(q.segments > 1 && M + q.length === q.first)) add(q.first, q.most_first)
  }
  return out.length ? [el('h2', { textContent: 'Why a segment does no more' }), ...out] : []
}

// ---- the linear program of passes ----
function passWords(p, slice) {
  const of = { row: new Map(), column: new Map() }, width = new Map(p.words.map(w => [w.array, w])), add = (name, n) => { const w = width.get(name), side = w && w.column ? of.column : of.row; side.set(name, Math.max(side.get(name) || 0, n)) }
  p.kinds.forEach((k, i) => { if (slice[i]) { k.whole.forEach(n => add(n, width.get(n).width)); add(k.operand, slice[i]); add(k.statement, slice[i]) } })
  const sum = m => [...m.values()].reduce((s, x) => s + x, 0), say = m => [...m].map(([n, x]) => x + ' of ' + n).join(', ')
  return { row: sum(of.row), column: sum(of.column), rowText: say(of.row), columnText: say(of.column) }
}
function coveringPart(b) {
  const p = b.parameters
  if (!b.plan || !p.kinds) return []
  const passName = x => p.kinds.map((k, i) => x.slice[i] ? x.slice[i] + ' ' + k.statement : '').filter(t => t).join(' + ')
  const weight = k => k.weight / p.scale, dual = p.kinds.reduce((s, k) => s + weight(k) * k.slices, 0), primal = b.plan.reduce((s, x) => s + x.times * x.cost, 0)
  const head = el('thead', {}, rowOf('th', ['pass', 'words', 'cost', 'times']))
  const body = el('tbody', {}, ...b.plan.map(x => { const w = passWords(p, x.slice); return rowOf('td', [passName(x), w.row + ' × ' + w.column, num(x.cost), share(x.times)]) }))
  const words = b.plan.map(x => { const w = passWords(p, x.slice); return el('li', { textContent: `${passName(x)}: row words ${w.rowText}; column words ${w.columnText}` }) })
  return [el('h2', { textContent: 'The linear program' }),
    el('p', { textContent: 'Primal: passes over all pairs that cover every slice of work; a pass costs (row words)(column words) at a pair.' }),
    el('div', { className: 'scroll', tabIndex: 0 }, el('table', { id: 'primal' }, head, body)),
    el('ul', { className: 'sum' }, ...words),
    el('p', { textContent: 'Dual: a weight for each step; whatever is done at a pair weighs at most (row words)(column words). This is the proof.' }),
    el('div', { className: 'scroll', tabIndex: 0 }, el('table', { id: 'dual' }, el('thead', {}, rowOf('th', ['kind', 'weight', 'steps a pair', 'needs'])), el('tbody', {}, ...p.kinds.map(k => rowOf('td', [k.statement, share(weight(k)), k.slices, [...k.whole, k.operand + ' (a word)'].join(', ')]))))),
    el('ul', { className: 'sum' }, el('li', { textContent: `plan ≈ ${num(primal)} a pair, weights ${num(dual)} a pair; ${num(p.pairs)} pairs: about ${num(dual * p.pairs)} / M = ${num(dual * p.pairs / M)} to leading order` }),
      el('li', { textContent: Math.abs(primal - dual) < 1e-6 * dual ? 'The two sides agree: no other weights prove more in the leading term.' : 'These weights are levelled: a little less in the leading term, better where pairs are carried.' }))]
}

// ---- a wavefront ----
function reach(from, next) { const seen = new Set(), todo = [...from]; while (todo.length) for (const u of next(todo.pop())) if (!seen.has(u)) { seen.add(u); todo.push(u) } return seen }
const allLive = () => reach(DATA.outputs, v => PREDS[v]).size + DATA.outputs.filter(v => !reach(DATA.outputs, u => PREDS[u]).has(v)).length === N
const triples = list => { const out = []; for (let i = 0; i < list.length; i += 3) out.push(list.slice(i, i + 3)); return out }
const through = w => { const t = new Map(); triples(w.along).forEach(([u, , f]) => t.set(u, (t.get(u) || 0) + f)); return t }
// From the flow, the cut: the vertices whose arrival can still be reached by more flow and whose departure cannot.  null: the flow is not the largest.
function cutOf(w, capacity) {
  const t = through(w), flow = new Map(triples(w.along).map(([u, v, f]) => [u + '>' + v, f])), back = new Map(triples(w.against).map(([u, v, f]) => [u + '>' + v, f]))
  const sources = reach([w.x], v => PREDS[v]), targets = reach([w.x], v => succs[v])
  if (w.after) sources.add(w.x)
  else targets.add(w.x)
  const seen = new Set(), todo = [], go = n => { if (!seen.has(n)) { seen.add(n); todo.push(n) } }
  sources.forEach(v => go(2 * v))
  while (todo.length) {
    const n = todo.pop(), v = n >> 1, used = t.get(v) || 0
    if (n % 2) { succs[v].forEach(s => go(2 * s)); if (used) go(2 * v); continue }
    if (targets.has(v)) return null
    if (used < capacity(v)) go(2 * v + 1)
    PREDS[v].forEach(u => { go(2 * u); if (flow.get(u + '>' + v)) go(2 * u + 1) })
    succs[v].forEach(s => { if (back.get(v + '>' + s)) go(2 * s) })
  }
  const cut = [...Array(N).keys()].filter(v => seen.has(2 * v) && !seen.has(2 * v + 1))
  return cut.reduce((s, v) => s + capacity(v), 0) === w.flow ? cut : null
}
function clearFlow() {
  document.querySelectorAll('.edge.flow, .edge.against').forEach(e => e.classList.remove('flow', 'against'))
  document.querySelectorAll('.wave').forEach(e => e.remove())
}
// The flow's edges: those of a graph are there; between cells of arrays they are drawn over the board.
function drawFlow(w) {
  clearFlow()
  const list = [...triples(w.along).map(([u, v]) => [u, v, 'flow']), ...triples(w.against).map(([u, v]) => [u, v, 'against'])]
  if (DATA.explicit) return list.forEach(([u, v, c]) => { const e = document.querySelector(`[data-edge="${u}>${v}"]`); if (e) e.classList.add(c) })
  drawLines(list, 'overlay wave')
}
function showWave(waves, i) {
  const w = waves[i], weight = v => isInput[v] || isOutput[v] ? 1 : 2, others = waves.filter((_, j) => j !== i).map(through)
  const left = v => weight(v) - others.reduce((s, t) => s + (t.get(v) || 0), 0), cut = cutOf(w, weight) || cutOf(w, left), t = through(w)
  marks.cut = new Set(cut || t.keys())
  marks.set = new Set([w.x])
  shown = [] // the ring of the last move would look like the cut
  paintAll()
  drawFlow(w)
  $('waveText').textContent = `The moment just ${w.after ? 'after' : 'before'} ${called(w.x)} is computed: a flow of ${w.flow} runs from ` + (w.after ? 'it and its ancestors to its descendants' : 'its ancestors to it and its descendants') + ' (thick lines; dashed where it runs backward). ' +
    (cut ? `The cut (framed) is ${cut.map(v => called(v) + (weight(v) > 1 ? ' (2)' : ' (1)')).join(', ')}; it weighs ${w.flow}, as much as the flow, so the flow is the largest. ` : `The vertices it runs through are framed. `) +
    `Whatever was computed before, the vertices still needed then weigh at least ${w.flow}. The red ones carry at most ${w.red} of it, so the rest, ${w.flow - w.red}, costs as many moves beyond the ${bound.parameters.compulsory} compulsory ones.`
}
function wavePart(b) {
  const waves = b.parameters.waves
  if (!waves || !waves.length || TILED || !allLive()) return []
  const list = el('select', { id: 'wave' }, ...waves.map(w => el('option', { textContent: `${w.after ? 'after' : 'before'} ${called(w.x)}: ${w.flow} − ${w.red}` })))
  list.onchange = () => showWave(waves, list.selectedIndex)
  queueMicrotask(() => { if (bound === b && mode === 'proof') showWave(waves, 0) })
  const gain = waves.reduce((s, w) => s + w.flow - w.red, 0)
  return [el('h2', { textContent: 'The cut and its flow' }), el('label', { className: 'wide' }, 'moment ', list), el('p', { id: 'waveText' }),
    el('ul', { className: 'sum' }, el('li', { textContent: `Q ≥ ${b.parameters.compulsory} compulsory + ${gain} = ${num(b.parameters.compulsory + gain)}, when nothing is computed twice` }))]
}

// Of the bounds as large as the best one, the one with the most to see.
function richest() {
  if (!DATA.best) return 0
  const sights = b => (viewOf(b) ? 4 : 0) + (arithmeticOf(b).length ? 2 : 0) + (b.plan ? 1 : 0) + ((b.parameters || {}).waves ? 3 : 0)
  const equal = DATA.bounds.map((b, i) => i).filter(i => { const b = DATA.bounds[i]; return b.holds && /proved|certified/.test(b.trust) && String(b.value) === String(DATA.best.value) })
  return equal.reduce((best, i) => sights(DATA.bounds[i]) > sights(DATA.bounds[best]) ? i : best, DATA.best.index)
}
function showBound(i) {
  bound = DATA.bounds[i]
  clearFlow()
  marks.cut = new Set()
  marks.set = new Set()
  segments = []
  $('argument').textContent = bound ? bound.proof.trim() || 'This bound comes without a text.' : ''
  const p = bound ? bound.parameters || {} : {}, view = bound && viewOf(bound), parts = []
  if (view && TILED) parts.push(...averagePart(bound, view))
  else if (view && plan.length) parts.push(...segmentPart(bound, view))
  if (bound) parts.push(...lines('The arithmetic', arithmeticOf(bound)), ...worksPart(bound, p), ...coveringPart(bound), ...wavePart(bound))
  $('works').replaceChildren(...parts)
  drawChart()
  if (!TILED) paintAll()
  lightSegment()
}
