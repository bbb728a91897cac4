// hint.js -- store what is owed; else compute the vertex that lacks least, loading its predecessors and making room for them (as the game in a terminal says).
function wantedNow(g) {
  const todo = new Uint8Array(N), needed = new Uint32Array(N), stack = []
  const want = v => { if (!todo[v] && !g.red[v] && !g.blue[v]) { todo[v] = 1; stack.push(v) } }
  for (let v = 0; v < N; v++) if (isOutput[v] && !g.blue[v]) want(v)
  while (stack.length) for (const u of PREDS[stack.pop()]) { needed[u]++; want(u) }
  return { todo, needed }
}
// The vertex with the fewest predecessors to load, none to be computed first.
function nextTarget(g, todo) {
  let best = null
  for (let v = 0; v < N; v++) {
    if (!todo[v]) continue
    const lacking = PREDS[v].filter(u => !g.red[u])
    if (lacking.every(u => g.blue[u]) && (!best || lacking.length < best.lacking.length)) best = { v, lacking }
  }
  return best
}
function roomFor(g, target, needed) {
  const others = [...Array(N).keys()].filter(v => g.red[v] && !PREDS[target].includes(v))
  const v = others.find(v => !needed[v]) ?? others.find(v => g.blue[v])
  return v !== undefined ? { kind: 'drop', v } : others.length ? { kind: 'store', v: others[0] } : null
}
function hintFor(g) {
  const owed = [...Array(N).keys()].find(v => g.red[v] && isOutput[v] && !g.blue[v] && isComplete(g, v))
  if (owed !== undefined) return { kind: 'store', v: owed }
  const { todo, needed } = wantedNow(g), target = nextTarget(g, todo)
  if (!target) return null
  if (g.reds < M) return target.lacking.length ? { kind: 'load', v: target.lacking[0] } : { kind: 'compute', v: target.v }
  const gives = u => !(isOutput[u] && !g.blue[u]) && (g.blue[u] || needed[u] === 1), from = SLIDING && !target.lacking.length ? PREDS[target.v].find(gives) : undefined
  return from === undefined ? roomFor(g, target.v, needed) : { kind: 'compute', v: target.v, slide: from }
}
function hint() {
  if (unfinished(mine) < 0) return say('Every output is blue: nothing is left to do.')
  const h = PARTIAL ? null : hintFor(mine)
  if (!h) return say(PARTIAL ? 'There are no hints in the partial game.' : 'From here there is no simple next move: undo some.', true)
  choose(h.v, false)
  if (h.slide !== undefined) $('slide').value = h.slide
  say('Hint: ' + h.kind + ' ' + called(h.v) + (h.slide !== undefined ? ', taking the pebble of ' + called(h.slide) : '') + '. It keeps the rules; cheaper plays may exist.')
}
