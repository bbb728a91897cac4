// watch.js -- the schedule played: a reel is { length, at, word, goTo(k), line() }; by vertices here, by tiles in tiles.js.
let running = false, clock = 0, owed = 0, reel = null

// `dropping` takes only what is red; that differs from the list of moves in the partial game alone.
function vertexPlan() {
  if (!PARTIAL) return DATA.moves
  const g = newGame(), plan = []
  let legal = true
  for (const move of DATA.moves) {
    const [kind, v, slide] = move
    if (slide === -2 && !g.red[v]) continue
    plan.push(move)
    if (!legal || broken(g, KINDS[kind], v, slide)) legal = false
    else apply(g, KINDS[kind], v, slide)
  }
  return plan
}
let plan = TILED ? [] : vertexPlan() // [kind, vertex, slide (-1 none, -2 part of a compute), line]

const vertexReel = {
  at: 0, word: 'move', watched: game,
  get length() { return plan.length },
  line() { return this.at ? plan[this.at - 1][3] : 0 },
  goTo(k) {
    const dirty = new Set(shown), touch = (v, slide) => { dirty.add(v); if (slide >= 0) dirty.add(slide); PREDS[v].forEach(u => dirty.add(u)) }
    game = this.watched
    while (this.at < k) {
      const [kind, v, slide] = plan[this.at], bad = broken(game, KINDS[kind], v, slide)
      if (bad) { this.stopped = 'move ' + (this.at + 1) + ', ' + KINDS[kind] + ' ' + called(v) + ', is refused: ' + bad.rule + ': ' + bad.sentence; break }
      apply(game, KINDS[kind], v, slide)
      touch(v, slide)
      this.at++
    }
    while (this.at > k) { const u = unapply(game); touch(u.v, u.slide); this.at-- }
    shown = this.at ? [plan[this.at - 1][1]] : []
    shown.forEach(v => dirty.add(v))
    dirty.forEach(paint)
    numbers()
  },
  tell() {
    if (!this.at) return 'At the start only the inputs are blue.'
    const [kind, v, slide] = plan[this.at - 1], text = KINDS[kind] + ' ' + called(v) + (slide >= 0 ? ' dropping ' + called(slide) : '')
    if (this.at < plan.length) return text
    const u = unfinished(game)
    return text + (u < 0 ? '. The end: every output is blue.' : '. The end, but ' + called(u) + ' is an output and not blue.')
  },
  counters() { return game }
}

function goTo(k) {
  reel.stopped = null
  reel.goTo(Math.max(0, Math.min(reel.length, k)))
  $('at').value = reel.at
  $('at').setAttribute('aria-valuetext', reel.word + ' ' + reel.at + ' of ' + reel.length)
  $('atText').textContent = grouped(reel.at) + ' of ' + grouped(reel.length)
  lightLine(reel.line())
  lightSegment()
  moveCursor()
  rememberPlace()
  if (reel.stopped) stop()
  if (reel.stopped) say(reel.stopped, true)
  else if (!running || reel.at === reel.length) say(reel.tell())
  if (!running) speak(reel.counters())
}
let litLine = 0
function lightLine(n) {
  if (n === litLine) return
  const code = $('code'), lines = code.children
  if (litLine && lines[litLine - 1]) lines[litLine - 1].classList.remove('lit')
  litLine = n
  if (!n || !lines[n - 1]) return
  lines[n - 1].classList.add('lit')
  const y = lines[n - 1].offsetTop
  if (y < code.scrollTop || y > code.scrollTop + code.clientHeight - 24) code.scrollTop = y - code.clientHeight / 2
}
function stop() { running = false; $('run').textContent = 'Run'; $('run').setAttribute('aria-pressed', false) }
function tick(now) {
  if (!running) return
  owed += (now - clock) * $('speed').value / 1000
  clock = now
  const n = Math.floor(owed)
  if (n) { owed -= n; goTo(reel.at + n) }
  if (reel.at >= reel.length) { stop(); speak(reel.counters()) } else if (running) requestAnimationFrame(tick)
}
function toggleRun() {
  if (running) return stop()
  if (reel.at >= reel.length) goTo(0)
  running = true
  $('run').textContent = 'Pause'
  $('run').setAttribute('aria-pressed', true)
  clock = performance.now()
  owed = 1
  requestAnimationFrame(tick)
}
