// start.js -- the page put together.
const MODES = ['watch', 'hand', 'proof'], LETTER = { l: 'load', s: 'store', c: 'compute', d: 'drop', e: 'erase' }

function setMode(next) {
  mode = next
  stop()
  for (const m of MODES) { $(m).hidden = m !== mode; $('tab-' + m).setAttribute('aria-selected', m === mode); $('tab-' + m).tabIndex = m === mode ? 0 : -1 }
  if (mode !== 'proof') { marks.cut = new Set(); marks.set = new Set(); clearFlow() }
  marks.need.clear()
  if (mode === 'hand') {
    game = mine
    shown = []
    writeMoves()
    paintAll()
    numbers()
    if (pick >= 0) choose(pick)
    return say('Your turn. Pick a vertex.')
  }
  goTo(reel.at)
  if (!TILED) paintAll()
  if (mode === 'proof') showBound($('which').selectedIndex)
}
function keys(e) {
  if (/TEXTAREA|SELECT/.test(e.target.tagName) || e.ctrlKey || e.metaKey || e.altKey) return
  if (e.target.getAttribute && e.target.getAttribute('role') === 'tab') return
  if (mode === 'hand') {
    if (LETTER[e.key]) return hand(LETTER[e.key])
    if (e.key === 'u') return undo()
    if (e.key === 'r') return redo()
    if (walk(e.key)) e.preventDefault()
    return
  }
  if (e.target.type === 'range') return
  const by = { ArrowRight: 1, ArrowLeft: -1, PageDown: 20, PageUp: -20 }[e.key]
  if (by) { e.preventDefault(); stop(); goTo(reel.at + by) }
  else if (e.key === 'Home') { e.preventDefault(); stop(); goTo(0) }
  else if (e.key === 'End') { e.preventDefault(); stop(); goTo(reel.length) }
  else if (e.key === ' ' && !/BUTTON|TR/.test(e.target.tagName)) { e.preventDefault(); toggleRun() }
}
function walkTabs(e) {
  const order = MODES.filter(m => !$('tab-' + m).hidden), by = { ArrowRight: 1, ArrowLeft: order.length - 1 }[e.key]
  if (!by) return
  const m = order[(order.indexOf(mode) + by) % order.length]
  setMode(m)
  $('tab-' + m).focus()
}
function fillTitle() {
  const rules = (DATA.rules.variant === 'placing' ? '' : ', ' + DATA.rules.variant) + (ONE_SHOT && !PARTIAL ? ', one-shot' : '')
  document.title = DATA.spec + ' at M = ' + M
  $('title').textContent = DATA.spec + (DATA.schedule_name ? ', ' + DATA.schedule_name : '') + ', M = ' + grouped(M) + rules
  $('m').textContent = grouped(M)
  const goal = []
  if (DATA.best) goal.push('bound ' + grouped(DATA.best.value) + ' (' + DATA.best.name + ')')
  if (DATA.optimum != null) goal.push('optimum ' + DATA.optimum)
  $('goal').textContent = goal.join(', ')
}
function fillBounds() {
  const option = (b, i) => el('option', { value: i, textContent: b.name + ': ' + grouped(b.value) + ' (' + b.trust + ', ' + b.model + ')' })
  $('which').append(...DATA.bounds.map(option))
  if (DATA.best) $('which').selectedIndex = DATA.best.index
}
function fillTables() {
  $('traffic').append(el('thead', {}, rowOf('th', ['array', 'loads', 'stores'])), el('tbody', {}, ...DATA.arrays.map(a => rowOf('td', [a.name, '', '']))))
  DATA.schedule_text.split('\n').forEach(line => $('code').append(el('span', { textContent: line || ' ' })))
  $('params').textContent = Object.entries(DATA.schedule_params).map(([k, v]) => k + ' = ' + grouped(v)).join(', ')
  $('codeTitle').hidden = $('params').hidden = $('code').hidden = !DATA.schedule_text
  const all = [['red', 'red: in fast memory'], ['blue', 'blue: in slow memory'], ['both', 'both'], ['out', 'output']]
  paintLegend(TILED ? all : [...all.slice(0, 3), ['done', 'computed, no pebble now'], ['dead', 'dead: all it feeds is computed'], all[3]])
}
function wire() {
  for (const m of MODES) $('tab-' + m).onclick = () => setMode(m)
  document.querySelector('[role=tablist]').addEventListener('keydown', walkTabs)
  $('first').onclick = () => { stop(); goTo(0) }
  $('end').onclick = () => { stop(); goTo(reel.length) }
  $('back').onclick = () => { stop(); goTo(reel.at - 1) }
  $('step').onclick = () => { stop(); goTo(reel.at + 1) }
  $('run').onclick = toggleRun
  $('at').oninput = e => { stop(); goTo(Number(e.target.value)) }
  $('which').onchange = e => showBound(e.target.selectedIndex)
  document.addEventListener('keydown', keys)
  if (TILED) return
  $('board').addEventListener('click', e => {
    const v = e.target.dataset && e.target.dataset.v
    if (v == null) return
    if (mode !== 'hand') setMode('hand')
    choose(Number(v), true)
  })
  document.querySelectorAll('#moves button').forEach(b => { b.onclick = () => hand(b.dataset.move) })
  $('undo').onclick = undo
  $('redo').onclick = redo
  $('restart').onclick = restart
  $('import').onclick = importMoves
  $('copy').onclick = copyMoves
  $('save').onclick = saveMoves
  window.addEventListener('resize', () => { if (mode === 'proof' && document.querySelector('.overlay')) showWave(bound.parameters.waves, $('wave').selectedIndex) })
}
function start() {
  fillTitle()
  fillTables()
  fillBounds()
  if (TILED) buildAllTiles()
  else if (DATA.explicit) buildGraph()
  else buildArrays()
  reel = TILED ? tileReel : vertexReel
  $('at').max = reel.length
  $('atWord').textContent = reel.word
  $('tab-hand').hidden = TILED
  $('tab-watch').hidden = !TILED && !plan.length
  $('note').hidden = !TILED
  if (TILED) $('note').textContent = tileNote()
  wire()
  if (!TILED) choose(N ? 0 : -1)
  if (!TILED) paintAll()
  setMode(reel.length ? 'watch' : 'hand')
}
start()
