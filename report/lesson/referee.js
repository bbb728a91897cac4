'use strict'
// referee.js -- DATA comes from the program: the vertices with their predecessors, the moves of the schedule, the bounds with
// their proofs.  Here stand the rules, in the order in which redblue verify looks at them.
const DATA = JSON.parse(document.getElementById('data').textContent)
const $ = id => document.getElementById(id)
const TILED = !!DATA.sights // a large computation, shown by tiles: there are no single vertices
const PREDS = DATA.preds || [], N = PREDS.length
let M = DATA.m // the page may hold runs with other M
const SLIDING = DATA.rules.variant === 'sliding', PARTIAL = DATA.rules.variant === 'partial', ONE_SHOT = DATA.rules.one_shot
const KINDS = ['load', 'store', 'compute', 'drop', 'erase']

const isOutput = new Uint8Array(N), isInput = new Uint8Array(N), arrayOf = new Int32Array(N), names = []
const succs = Array.from({ length: N }, () => [])
const index = new Map()
if (!TILED) {
  DATA.arrays.forEach((a, k) => a.elements.forEach((x, i) => {
    const v = a.first + i
    arrayOf[v] = k
    names[v] = a.name + '[' + x.join(',') + ']'
    index.set(names[v], v)
  }))
  DATA.outputs.forEach(v => { isOutput[v] = 1 })
  PREDS.forEach((p, v) => { if (!p.length) isInput[v] = 1; p.forEach(u => succs[u].push(v)) })
}
// A vertex as a reader knows it: a graph's own name beside the number.
const called = v => DATA.labels && DATA.labels[v] !== names[v] ? names[v] + ' “' + DATA.labels[v] + '”' : names[v]

function newGame() {
  const blue = new Uint8Array(N)
  for (let v = 0; v < N; v++) blue[v] = isInput[v]
  return {
    red: new Uint8Array(N), blue, computed: new Uint8Array(N), touched: new Uint8Array(N), reds: 0, peak: 0, loads: 0, stores: 0, computes: 0,
    redsOf: DATA.arrays.map(() => 0), loadsOf: DATA.arrays.map(() => 0), storesOf: DATA.arrays.map(() => 0), log: [],
    inside: PARTIAL ? PREDS.map(p => new Uint8Array(p.length)) : null // partial: which edges are aggregated
  }
}

// ---- the partial game: a vertex is complete when all its edges are aggregated ----
const isComplete = (g, v) => PARTIAL ? g.inside[v].every(b => b) : true
const isBegun = (g, v) => g.inside[v].some(b => b)
const isReady = (g, u) => g.red[u] && isComplete(g, u)
const openEdges = (g, v) => PREDS[v].map((u, i) => i).filter(i => !g.inside[v][i])

function brokenPartial(g, v, no) {
  const name = called(v), complete = isComplete(g, v), begun = isBegun(g, v)
  if (complete && g.red[v]) return no('already red', name + ' is complete and red')
  if (begun && !g.red[v]) return no('recompute', name + ' was begun before and is not red: the edges it holds are used up')
  const open = openEdges(g, v)
  if (!open.some(i => isReady(g, PREDS[v][i]))) {
    const u = PREDS[v][open[0]]
    return no('predecessor', name + ' has nothing to aggregate: ' + called(u) + ' is not ' + (g.red[u] ? 'complete' : 'red'), u)
  }
  return !begun && g.reds + 1 > M ? no('memory', 'beginning ' + name + ' needs a pebble and all ' + M + ' are used') : null
}

// ---- every game ----
// null, or the rule broken: { rule, sentence, missing }.  slide: the predecessor whose pebble goes as v is computed, or -1.
function broken(g, kind, v, slide) {
  const name = called(v), no = (rule, sentence, missing) => ({ rule, sentence, missing })
  if (kind === 'load') {
    if (g.red[v]) return no('already red', name + ' is already red')
    if (!g.blue[v]) return no('not blue', name + ' is not blue: it is not in slow memory')
    return g.reds + 1 > M ? no('memory', 'fast memory is full: ' + g.reds + ' of ' + M + ' words are red') : null
  }
  if (kind === 'store') {
    if (!g.red[v]) return no('not red', name + ' is not red: only what is in fast memory can be stored')
    return g.blue[v] ? no('already blue', name + ' is already blue') : null
  }
  if (kind === 'drop') return g.red[v] ? null : no('not red', name + ' has no red pebble')
  if (kind === 'erase') return g.blue[v] ? null : no('not blue', name + ' has no blue pebble')
  if (isInput[v]) return no('input', name + ' is an input: it can only be loaded')
  if (PARTIAL) return brokenPartial(g, v, no)
  if (g.red[v]) return no('already red', name + ' is already red')
  if (ONE_SHOT && g.computed[v]) return no('recompute', name + ' was computed before, and this is the one-shot game')
  for (const u of PREDS[v]) if (!g.red[u]) return no('predecessor', name + ' needs ' + called(u) + ', which is not red', u)
  const own = SLIDING && slide >= 0 ? 0 : 1
  return g.reds + own > M ? no('memory', 'computing ' + name + ' needs a pebble and all ' + M + ' are used') : null
}

function addRed(g, v, by) { g.red[v] = by > 0 ? 1 : 0; g.reds += by; g.redsOf[arrayOf[v]] += by }

function applyCompute(g, v, slide, undo) {
  undo.wasRed = g.red[v]
  if (PARTIAL) {
    undo.edges = openEdges(g, v).filter(i => isReady(g, PREDS[v][i]))
    undo.edges.forEach(i => { g.inside[v][i] = 1 })
    g.blue[v] = 0 // a copy of less is stale
  }
  g.computed[v] = 1
  g.computes++
  if (slide >= 0 && SLIDING) addRed(g, slide, -1)
  if (!undo.wasRed) addRed(g, v, 1)
  g.peak = Math.max(g.peak, g.reds)
  if (slide >= 0 && !SLIDING) addRed(g, slide, -1)
}

function apply(g, kind, v, slide) {
  if (slide >= 0 && !g.red[slide]) slide = -1
  const undo = { kind, v, slide, touched: g.touched[v], computed: g.computed[v], peak: g.peak, blue: g.blue[v] }
  g.log.push(undo)
  g.touched[v] = 1
  if (kind === 'load') { addRed(g, v, 1); g.loads++; g.loadsOf[arrayOf[v]]++ }
  else if (kind === 'store') { g.blue[v] = 1; g.stores++; g.storesOf[arrayOf[v]]++ }
  else if (kind === 'drop') addRed(g, v, -1)
  else if (kind === 'erase') g.blue[v] = 0
  else applyCompute(g, v, slide, undo)
  g.peak = Math.max(g.peak, g.reds)
}

// Take the last move back; says which it was.
function unapply(g) {
  const undo = g.log.pop(), { kind, v, slide } = undo
  if (kind === 'load') { addRed(g, v, -1); g.loads--; g.loadsOf[arrayOf[v]]-- }
  else if (kind === 'store') { g.stores--; g.storesOf[arrayOf[v]]-- }
  else if (kind === 'drop') addRed(g, v, 1)
  else if (kind === 'compute') {
    if (!undo.wasRed) addRed(g, v, -1)
    if (slide >= 0) addRed(g, slide, 1)
    if (PARTIAL) undo.edges.forEach(i => { g.inside[v][i] = 0 })
    g.computes--
  }
  g.blue[v] = undo.blue
  g.touched[v] = undo.touched
  g.computed[v] = undo.computed
  g.peak = undo.peak
  return undo
}

// The first output that is not there yet, or -1.
function unfinished(g) {
  for (let v = 0; v < N; v++) if (isOutput[v] && !(g.blue[v] && isComplete(g, v))) return v
  return -1
}
