// hand.js -- the reader plays: moves one by one, undo and redo, the moves as text out and in.
let mine = newGame(), undone = []
const moveText = ({ kind, v, slide }) => kind + ' ' + names[v] + (slide >= 0 ? ' dropping ' + names[slide] : '')

function writeMoves() {
  const game_ = (DATA.rules.variant === 'placing' ? '' : ', ' + DATA.rules.variant) + (ONE_SHOT && !PARTIAL ? ', one-shot' : '')
  $('text').value = '# ' + DATA.spec.replace(/\s+/g, ' ') + ', M = ' + M + game_ + '\n' + mine.log.map(m => moveText(m) + '\n').join('')
}
function compared(io) {
  if (DATA.optimum != null) return io === DATA.optimum ? ', the optimum.' : '; the optimum is ' + DATA.optimum + '.'
  if (DATA.best) return io === Number(DATA.best.value) ? ', and no pebbling costs less: ' + DATA.best.name + '.' : '; no pebbling costs less than ' + DATA.best.value + ' (' + DATA.best.name + ').'
  return '.'
}
function afterHand(v, text) {
  game = mine
  shown = v >= 0 ? [v] : []
  choose(pick)
  paintAll()
  numbers()
  speak(game)
  writeMoves()
  drawChart()
  keepGame()
  const io = game.loads + game.stores
  say(unfinished(game) < 0 && game.log.length ? text + '. Every output is blue: you are done with ' + io + ' I/Os' + compared(io) : text)
}
function hand(kind) {
  if (mode !== 'hand') return
  if (pick < 0) return say('Pick a vertex first.', true)
  const slide = kind === 'compute' && SLIDING ? Number($('slide').value) : -1, bad = broken(game, kind, pick, slide)
  if (bad) {
    if (bad.missing >= 0) { marks.need.add(bad.missing); paint(bad.missing) }
    return say(bad.rule + ': ' + bad.sentence, true)
  }
  apply(game, kind, pick, slide)
  undone = []
  afterHand(pick, kind + ' ' + called(pick))
}
function undo() {
  if (!mine.log.length) return say('Nothing to undo.', true)
  const last = unapply(mine)
  undone.push(last)
  afterHand(last.v, 'Taken back: ' + moveText(last))
}
function redo() {
  const m = undone.pop()
  if (!m) return say('Nothing to do again.', true)
  apply(mine, m.kind, m.v, m.slide)
  afterHand(m.v, moveText(m))
}
// Play on from the moment that is watched.
function takeOver() {
  mine = newGame()
  vertexReel.watched.log.forEach(m => apply(mine, m.kind, m.v, m.slide))
  undone = []
  setMode('hand')
  afterHand(-1, mine.log.length + ' moves are played: go on from here')
}
function restart() { mine = newGame(); undone = []; afterHand(-1, 'A new game: only the inputs are blue.') }

// ---- reading moves ----
const fail = (line, text) => { throw 'line ' + line + ': ' + text }
// What `dropping` names: of the predecessors, in the order of the rule; the first of them gives its pebble.
function takeDrops(moves, drops, line) {
  const last = moves[moves.length - 1]
  if (!last || last.kind !== 'compute') fail(line, 'dropping belongs to a compute')
  const found = PREDS[last.v].filter(u => drops.some(d => d === u || d === DATA.arrays[arrayOf[u]].name))
  found.forEach((u, i) => { if (i) moves.push({ kind: 'drop', v: u, slide: -2, line }); else last.slide = u })
}
// The word of the list that takes the fewest letters changed, left out, put in or swapped.
function meant(word, list) {
  const distance = (a, b) => {
    const d = Array.from({ length: a.length + 1 }, (_, i) => [i])
    for (let j = 0; j <= b.length; j++) d[0][j] = j
    for (let i = 1; i <= a.length; i++) for (let j = 1; j <= b.length; j++) {
      d[i][j] = Math.min(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] !== b[j - 1]))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1)
    }
    return d[a.length][b.length]
  }
  const best = [...list].sort((p, q) => distance(word, p) - distance(word, q))[0]
  return best && distance(word, best) <= Math.max(1, word.length / 3) ? `did you mean ${best}?` : 'there are ' + list.slice(0, 12).join(', ')
}
function vertexNamed(word, line) {
  const m = word.match(/^(\w+)\s*\[([^\]]*)\]$/), name = m ? m[1] + '[' + m[2].replace(/\s/g, '') + ']' : word
  if (m && /\.\.|\*/.test(m[2])) fail(line, word + ' is a box: here each move is of one vertex, as redblue moves prints them')
  if (!index.has(name)) fail(line, `there is no vertex ${word}; ${DATA.arrays.some(a => a.name === name.split('[')[0]) ? 'its index is outside the array' : meant(name.split('[')[0], DATA.arrays.map(a => a.name))}`)
  return index.get(name)
}
function parseMoves(text) {
  const moves = []
  let kind = null
  text.split('\n').forEach((raw, i) => {
    let drops = null
    for (const word of raw.replace(/#.*/, '').match(/[A-Za-z_]\w*\s*\[[^\]]*\]|[A-Za-z_]\w*|\S/g) || []) {
      if (word === ',' || word === 'schedule' && !moves.length) { if (word === ',') continue; break }
      if (word === 'dropping') { drops = []; continue }
      if (KINDS.includes(word)) { if (drops) takeDrops(moves, drops, i + 1); kind = word; drops = null; continue }
      if (drops) { drops.push(DATA.arrays.some(a => a.name === word) ? word : vertexNamed(word, i + 1)); continue }
      if (!kind || /^[A-Za-z_]\w*$/.test(word) && !index.has(word)) fail(i + 1, `expected a move (load, store, compute, drop, erase), found ${word}; ${meant(word, KINDS)}`)
      moves.push({ kind, v: vertexNamed(word, i + 1), slide: -1, line: i + 1 })
    }
    if (drops) takeDrops(moves, drops, i + 1)
  })
  return moves
}
function importMoves() {
  let moves
  try { moves = parseMoves($('text').value) } catch (e) { return say(String(e), true) }
  const g = newGame()
  let last = -1
  for (const { kind, v, slide, line } of moves) {
    if (slide === -2 && !g.red[v]) continue
    const bad = broken(g, kind, v, slide)
    if (bad) return say('line ' + line + ': ' + bad.rule + ': ' + bad.sentence, true)
    apply(g, kind, v, slide)
    last = v
  }
  mine = g
  undone = []
  afterHand(last, g.log.length + ' moves played')
}
function copyMoves() {
  $('text').select()
  const copied = navigator.clipboard ? navigator.clipboard.writeText($('text').value) : Promise.reject()
  copied.then(() => say('Copied.'), () => { document.execCommand('copy'); say('Copied.') })
}
function saveMoves() {
  const a = el('a', { download: 'moves.sched', href: URL.createObjectURL(new Blob([$('text').value], { type: 'text/plain' })) })
  a.click()
  setTimeout(() => URL.revokeObjectURL(a.href), 1000)
}
