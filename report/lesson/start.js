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
    drawChart()
    rememberPlace()
    return say(mine.log.length ? 'Your game, ' + count(mine.log.length, 'move') + ' so far.' : 'Your turn. Pick a vertex.')
  }
  goTo(reel.at)
  if (!TILED) paintAll()
  if (mode === 'proof') showBound($('which').selectedIndex)
  drawChart()
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
  const goal = [], io = plan.length || TILED ? finalIo() : 0
  if (DATA.best) goal.push('bound ' + grouped(DATA.best.value) + ' (' + DATA.best.name + ')')
  if (DATA.optimum != null) goal.push('optimum ' + DATA.optimum)
  if (io) goal.push('this run ' + grouped(io) + (DATA.best && Number(DATA.best.value) ? ', ratio ' + (io / Number(DATA.best.value)).toFixed(2) : ''))
  $('memoryAt').value = runAt()
  $('memoryAt').setAttribute('aria-valuetext', 'M = ' + M)
  $('goal').textContent = goal.join(', ')
}
function fillBounds() {
  const option = (b, i) => el('option', { value: i, textContent: b.name + ': ' + grouped(b.value) + ' (' + b.trust + ', ' + b.model + ')' })
  $('which').replaceChildren(...DATA.bounds.map(option))
}
function fillParameters() { $('params').textContent = Object.entries(DATA.schedule_params).map(([k, v]) => k + ' = ' + grouped(v)).join(', ') }
function fillFoot() {
  const words = ['redblue lesson ' + DATA.spec, DATA.schedule_name || '', '-M ' + M].filter(w => w).join(' ')
  $('foot').replaceChildren('Made by redblue ' + DATA.version + ': ', el('code', { textContent: words }), '. The referee, the bound and the proof are those of the program.')
  $('rulesOf').hidden = !DATA.computation
  $('computation').textContent = DATA.computation
}
function fillTables() {
  $('traffic').append(el('thead', {}, rowOf('th', ['array', 'loads', 'stores'])), el('tbody', {}, ...DATA.arrays.map(a => rowOf('td', [a.name, '', '']))))
  DATA.schedule_text.split('\n').forEach(line => $('code').append(el('span', { textContent: line || ' ' })))
  fillParameters()
  $('codeTitle').hidden = $('params').hidden = $('code').hidden = !DATA.schedule_text
  const all = [['red', 'red: in fast memory'], ['blue', 'blue: in slow memory'], ['both', 'both'], ['out', 'output']]
  paintLegend(TILED ? all : [...all.slice(0, 3), ['done', 'computed, no pebble now'], ['dead', 'no longer needed'], all[3]])
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
  $('guideBack').onclick = () => showGuide(guideAt - 1, true)
  $('guideNext').onclick = () => showGuide(guideAt + 1, true)
  $('guideClose').onclick = () => { openGuide(false); $('guideOpen').focus() }
  $('guideOpen').onclick = () => openGuide($('guide').hidden)
  $('link').onclick = copyLink
  $('chart').onclick = chartClick
  $('memoryAt').oninput = e => showRun(Number(e.target.value))
  // a button that was clicked gives the focus away: space is run and pause; one that was reached by Tab keeps it
  document.querySelectorAll('#transport button').forEach(b => b.addEventListener('click', e => { if (e.detail) b.blur() }))
  addEventListener('hashchange', () => openPlace(new URLSearchParams(location.hash.slice(1))))
  addEventListener('resize', () => { fitBoard(); drawChart() })
  $('which').onchange = e => { showBound(e.target.selectedIndex); rememberPlace() }
  document.addEventListener('keydown', keys)
  if (TILED) return
  $('board').addEventListener('click', e => {
    const v = e.target.dataset && e.target.dataset.v
    if (v == null) return
    choose(Number(v), true)
    showNeighbours(Number(v))
  })
  const near = e => { const v = e.target.dataset && e.target.dataset.v; if (v != null) showNeighbours(Number(v)) }
  $('board').addEventListener('pointerover', near)
  $('board').addEventListener('focusin', near)
  $('board').addEventListener('pointerleave', () => showNeighbours(-1))
  // after a click on a move the picked vertex has the focus again, so that arrows and letters go on; by key the button keeps it
  document.querySelectorAll('#moves button').forEach(b => { b.onclick = e => { hand(b.dataset.move); if (e.detail && pick >= 0) cells[pick].focus() } })
  $('takeOver').onclick = takeOver
  $('hint').onclick = hint
  $('undo').onclick = undo
  $('redo').onclick = redo
  $('restart').onclick = restart
  $('import').onclick = importMoves
  $('copy').onclick = copyMoves
  $('save').onclick = saveMoves
  window.addEventListener('resize', () => { if (mode === 'proof' && document.querySelector('.wave')) showWave(bound.parameters.waves, $('wave').selectedIndex) })
}
function start() {
  reel = vertexReel
  if (TILED) { buildAllTiles(); reel = tileReel }
  fillTitle()
  fillTables()
  fillBounds()
  fillFoot()
  if (DATA.explicit) buildGraph()
  else if (!TILED) buildArrays()
  document.body.classList.toggle('embed', OPEN.has('embed'))
  $('at').max = reel.length
  $('atWord').textContent = reel.word
  $('tab-hand').hidden = TILED
  $('tab-watch').hidden = !TILED && !plan.length
  $('takeOver').hidden = TILED
  $('note').hidden = !TILED
  $('memoryRow').hidden = RUNS.length < 2
  $('memoryAt').max = RUNS.length - 1
  $('memoryAt').value = runAt()
  if (TILED) $('note').textContent = tileNote()
  wire()
  if (!TILED) { fetchGame(); choose(N ? 0 : -1); paintAll() }
  prepareBound()
  tour = guideSteps()
  showGuide(0, false)
  openGuide(!OPEN.has('embed'))
  setMode(reel.length ? 'watch' : 'hand')
  openPlace(OPEN)
}
start()
