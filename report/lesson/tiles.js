// tiles.js -- a large computation: its arrays as grids of tiles, the schedule's statements as steps.  A tile ends where a box or a
// position that is shown ends, so none is partly red; where that were too many, a tile red in part is striped.  Counts come with the steps; nothing is computed here but sums.
const LEAP = 5, SOME = 2
let tileArrays = [], tileReel = null
const widthOf = length => Math.round(14 + 5 * Math.log2(length)), heightOf = length => Math.round(13 + 2.5 * Math.log2(length))
// as the schedule language writes a range: from lo, before hi
const bandName = (lo, hi) => hi === lo + 1 ? String(lo) : lo + '..' + hi

function tileArray(a) {
  const bands = a.cuts.map(c => Math.max(0, c.length - 1)), stride = bands.map((_, r) => bands.slice(r + 1).reduce((s, n) => s * n, 1))
  const size = bands.reduce((s, n) => s * n, 1)
  return { a, bands, stride, size, cells: new Array(size), red: new Uint8Array(size), blue: new Uint8Array(size), held: [new Float64Array(size), new Float64Array(size)], changes: [[], []], shown: [-1, -1], words: 0 }
}
// The last cut at or before x.
function bandOf(cuts, x) {
  let lo = 0, hi = cuts.length - 1
  while (lo < hi) { const middle = Math.ceil((lo + hi) / 2); if (cuts[middle] <= x) lo = middle; else hi = middle - 1 }
  return lo
}
// Every tile that a box meets, by number, and how many of the box's places lie in it.
function eachTile(t, box, visit) {
  const lo = t.bands.map((_, r) => bandOf(t.a.cuts[r], box[2 * r]))
  const go = (r, n, common) => {
    if (r === t.bands.length) return visit(n, common)
    const c = t.a.cuts[r], from = box[2 * r], to = box[2 * r + 1]
    for (let i = lo[r]; i < t.bands[r] && c[i] < to; i++) go(r + 1, n + i * t.stride[r], common * (Math.min(c[i + 1], to) - Math.max(c[i], from)))
  }
  if (t.size) go(0, 0, 1)
}
function sizeOf(t, n) {
  return t.a.sizes ? t.a.sizes[n] : t.a.cuts.reduce((v, c, r) => { const i = Math.floor(n / t.stride[r]) % t.bands[r]; return v * (c[i + 1] - c[i]) }, 1)
}
const volume = box => { let v = 1; for (let r = 0; r < box.length; r += 2) v *= box[r + 1] - box[r]; return v }

// ---- drawing ----
function paintTile(t, n, now) {
  const r = t.red[n], b = t.blue[n], cell = t.cells[n]
  if (!cell) return
  const said = (colour, state, word) => !state ? [] : [state === SOME ? `${word} ${grouped(t.held[colour][n])} of ${grouped(sizeOf(t, n))}` : word]
  cell.className = 'cell' + (r === SOME ? ' some' : b === SOME ? ' someblue' : r && b ? ' both' : r ? ' red' : b ? ' blue' : '') + (t.a.outputs && t.a.outputs[n] ? ' out' : '') + (now ? ' now' : '') + (t.a.sizes && !t.a.sizes[n] ? ' absent' : '')
  cell.title = cell.dataset.name + ': ' + ([...said(0, r, 'red'), ...said(1, b, 'blue')].join(' and ') || 'empty')
}
function axisLabel(text, title, css, extra) { const e = el('div', { className: 'axis ' + (extra || ''), textContent: text, title }); Object.assign(e.style, css); return e }
function buildTiles(t) {
  const { a, bands } = t, rank = bands.length, last = rank - 1
  const grid = el('div', { className: 'tiles' }), few = bands.reduce((s, n, r) => r ? s * n : s, 1) <= 40
  const name = (r, i) => bandName(a.cuts[r][i], a.cuts[r][i + 1]), length = (r, i) => a.cuts[r][i + 1] - a.cuts[r][i]
  const columns = bands.reduce((s, n, r) => r ? s * n : s, 1), head = Math.max(0, last)
  const widths = Array.from({ length: columns }, (_, c) => rank < 2 ? 26 : widthOf(length(last, c % bands[last])))
  for (let r = last; r > 0 && few; r--) // room for the names above
    for (let c = 0, span = t.stride[r]; c < columns; c += span) {
      const lack = 6 * name(r, Math.floor(c / span) % bands[r]).length + 4 - widths.slice(c, c + span).reduce((s, w) => s + w, 0)
      if (lack > 0) for (let i = c; i < c + span; i++) widths[i] += Math.ceil(lack / span)
    }
  grid.style.gridTemplateColumns = 'auto ' + widths.map(w => w + 'px').join(' ')
  grid.style.gridTemplateRows = Array(head).fill('auto').concat(Array.from({ length: bands[0] || 0 }, (_, i) => heightOf(length(0, i)) + 'px')).join(' ')
  for (let r = 1; r < rank && few; r++) {
    const span = t.stride[r]
    for (let c = 0; c < columns; c += span) {
      const i = Math.floor(c / span) % bands[r]
      grid.append(axisLabel(name(r, i), 'index ' + (r + 1) + ': ' + name(r, i), { gridRow: r, gridColumn: `${c + 2} / span ${span}` }))
    }
  }
  for (let i = 0; i < bands[0] && bands[0] <= 60; i++) grid.append(axisLabel(name(0, i), 'index 1: ' + name(0, i), { gridRow: head + i + 1, gridColumn: 1 }, 'side'))
  for (let n = 0; n < t.size; n++) {
    const at = bands.map((m, r) => Math.floor(n / t.stride[r]) % m), e = el('div')
    e.dataset.name = a.name + '[' + at.map((i, r) => name(r, i)).join(',') + ']'
    e.style.gridRow = head + at[0] + 1
    e.style.gridColumn = rank < 2 ? 2 : n % t.stride[0] + 2
    t.cells[n] = e
    grid.append(e)
  }
  grid.setAttribute('role', 'img')
  grid.setAttribute('aria-label', a.name)
  const shape = '[' + a.cuts.map(c => grouped(c.length ? c[c.length - 1] - c[0] : 0)).join('×') + ']'
  t.grid = grid
  t.home = el('div', {}, arrayTitle(a.name, shape), el('div', { className: 'scroll' }, grid))
  return t.home
}

// ---- position ----
function setColour(t, colour, k) {
  const list = t.changes[colour]
  let lo = -1, hi = list.length - 1
  while (lo < hi) { const middle = Math.ceil((lo + hi) / 2); if (list[middle].k <= k) lo = middle; else hi = middle - 1 }
  if (lo === t.shown[colour]) return false
  t.shown[colour] = lo
  const set = colour ? t.blue : t.red, boxes = lo < 0 ? [] : list[lo].boxes
  const words = t.held[colour].fill(0)
  boxes.forEach(b => eachTile(t, b, (n, common) => { words[n] += common }))
  for (let n = 0; n < t.size; n++) set[n] = !words[n] ? 0 : words[n] >= sizeOf(t, n) ? 1 : SOME
  if (!colour) t.words = boxes.reduce((s, b) => s + volume(b), 0)
  return true
}
// The board scrolls to the array that moves, when it is out of sight.
function bringIntoSight(t) {
  const board = $('board'), b = board.getBoundingClientRect(), r = t.home.getBoundingClientRect()
  if (r.top < b.top || r.top > b.bottom - 60) board.scrollTop += r.top - b.top - 8
}
function paintPosition(k) {
  const s = DATA.sights[k], moved = s[0] < LEAP ? s[1] : -1
  tileArrays.forEach((t, i) => {
    const changed = [setColour(t, 0, k), setColour(t, 1, k)].some(c => c)
    if (!changed && !t.marked && i !== moved) return
    const now = new Set()
    if (i === moved) eachTile(t, s[3], n => now.add(n))
    t.marked = i === moved
    for (let n = 0; n < t.size; n++) paintTile(t, n, now.has(n))
    if (i === moved) bringIntoSight(t)
    t.grid.setAttribute('aria-label', t.a.name + ': ' + (t.words ? grouped(t.words) + ' words red' : 'nothing red'))
  })
}

// ---- words ----
function boxText(t, box) {
  return t.a.name + '[' + t.a.cuts.map((c, r) => box[2 * r] === c[0] && box[2 * r + 1] === c[c.length - 1] && c[c.length - 1] - c[0] > 1 ? '*' : bandName(box[2 * r], box[2 * r + 1])).join(',') + ']'
}
const moved = (s, which) => s[8].reduce((sum, x) => sum + x[which], 0)
function traffic(s) {
  const parts = []
  if (moved(s, 1)) parts.push(grouped(moved(s, 1)) + ' words loaded')
  if (moved(s, 2)) parts.push(grouped(moved(s, 2)) + ' stored')
  if (s[5]) parts.push(grouped(s[5]) + ' computed')
  return parts.length ? ': ' + parts.join(', ') : ''
}
function sightText(s) {
  const around = s[4] ? ' (' + s[4] + ')' : ''
  if (s[0] < LEAP) return KINDS[s[0]] + ' ' + boxText(tileArrays[s[1]], s[3]) + traffic(s) + around
  const [from, to, inferred] = s[3], played = to - from - inferred
  return `iterations ${grouped(from + 1)} to ${grouped(to)} of the loop ${DATA.loops[s[1]]}` +
    (inferred ? `, ${grouped(played)} played and ${grouped(inferred)} by induction` : '') + traffic(s) + around
}

function makeTileReel() {
  const none = () => DATA.arrays.map(() => 0)
  const sum = { loads: 0, stores: 0, reds: 0, peak: 0, computes: 0, loadsOf: none(), storesOf: none(), redsOf: none() }
  const add = (s, sign) => {
    s[8].forEach(([a, l, w]) => { sum.loads += sign * l; sum.stores += sign * w; sum.loadsOf[a] += sign * l; sum.storesOf[a] += sign * w })
    sum.computes += sign * s[5]
  }
  const v = DATA.verdict, end = DATA.sights.length - 1
  return {
    length: end, at: 0, word: 'step',
    line() { return DATA.sights[this.at][2] },
    counters() { return sum },
    goTo(k) {
      while (this.at < k) add(DATA.sights[++this.at], 1)
      while (this.at > k) add(DATA.sights[this.at--], -1)
      paintPosition(k)
      sum.reds = DATA.sights[k][6]
      sum.peak = DATA.sights[k][7]
      sum.redsOf = tileArrays.map(t => t.words)
      paintCounters(sum)
      if (k === end && !v.legal) this.stopped = 'Here the referee stops the play: ' + v.message
    },
    tell() {
      if (!this.at) return 'At the start only the inputs are blue.'
      return sightText(DATA.sights[this.at]) + (this.at === end ? '. The end: every output is blue.' : '')
    }
  }
}
const iterations = n => n > 1 ? grouped(n) + ' iterations' : 'iteration'
function tileNote() {
  const v = DATA.verdict, leaps = DATA.sights.some(s => s[0] === LEAP)
  return `${grouped(DATA.vertices)} vertices. Arrays are grids of tiles, cut where ${v.coarse ? 'boxes' : 'a box or a position'} shown here begin${v.coarse ? '' : 's'} or end${v.coarse ? '' : 's'}: ${v.coarse ? 'a striped tile is red, or blue, in part' : 'no tile is red in part'}. They are not drawn to scale. ` +
    (leaps ? `Each loop shows its first ${iterations(v.first)} and its last ${v.last > 1 ? grouped(v.last) : 'one'}, one statement per step; those between are one step. ` : 'Every statement is a step. ') +
    `The counters are the referee's, for all iterations` + (v.inferred ? ` (${grouped(v.inferred)} of them follow by induction from those before)` : '') + '. To play yourself, make a page with smaller parameters.'
}
// The arrays of few tiles come first, so that inputs and outputs are seen together.
function buildAllTiles() {
  tileArrays = DATA.arrays.map(tileArray)
  DATA.sights.forEach((s, k) => s[9].forEach(([colour, a, boxes]) => tileArrays[a].changes[colour].push({ k, boxes })))
  $('board').tabIndex = 0 // it scrolls
  $('board').setAttribute('role', 'region')
  $('board').setAttribute('aria-label', 'The board, arrays as tiles')
  $('board').append(el('div', { className: 'arrays' }, ...tileArrays.filter(t => t.size).sort((s, t) => s.size - t.size).map(buildTiles)))
  tileArrays.forEach(t => { for (let n = 0; n < t.size; n++) paintTile(t, n, false) })
  tileReel = makeTileReel()
}
