// page.js -- the texts, M, and what the program says of them.
'use strict'
const $ = id => document.getElementById(id)
const data = JSON.parse($('data').textContent)
const textOf = family => data.families[family] ?? data.generated[family]
const grammars = { cdag: makeGrammar(data.grammars.cdag), sched: makeGrammar(data.grammars.sched) }
const FILES = { cdag: 'computation.cdag', sched: 'schedule.sched' }
const make = (tag, text, kind) => { const e = document.createElement(tag); if (text !== undefined) e.textContent = text; if (kind) e.className = kind; return e }
const group = n => String(n).replace(/\B(?=(\d{3})+$)/g, ',')

// ---- the program ----

const program = { bytes: null, worker: null, waiting: new Map(), next: 1, runs: 0 }

async function unpackProgram() {
  const packed = Uint8Array.from(atob($('program').textContent.trim()), c => c.charCodeAt(0))
  $('program').remove()
  program.bytes = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer()
}

function startWorker() {
  program.worker = new Worker(URL.createObjectURL(new Blob([$('worker').textContent], { type: 'text/javascript' })))
  program.worker.onmessage = ({ data }) => { program.waiting.get(data.id)(data); program.waiting.delete(data.id) }
  program.worker.postMessage({ bytes: program.bytes })
}

// Whatever runs is ended; those who wait for it never hear of it.
function stopProgram() {
  if (!program.waiting.size) return
  program.worker.terminate()
  program.waiting.clear()
  startWorker()
}

function ask(words, files) {
  const id = program.next++
  program.runs++
  return new Promise(tell => { program.waiting.set(id, tell); program.worker.postMessage({ id, words, files }) })
}

// JSON keeps integers of any size as text: beyond 2^53 a number of this language would not be the program's
const parse = text => JSON.parse(text.replace(/(:\s*|[[,]\s*)(-?\d{16,})(?=\s*[,}\]])/g, '$1"$2"'))

// ---- what is asked ----

const spec = () => (familyNow.name in data.generated ? familyNow.name : FILES.cdag) + ($('params').value.trim() ? ':' + $('params').value.trim() : '')
const files = () => ({ [FILES.cdag]: $('cdag').value, [FILES.sched]: $('sched').value })
const game = () => ['-M', $('memory').value.trim(), '--rules', $('rules').value, ...($('oneShot').checked ? ['--one-shot'] : [])]
const answers = { verify: null, bound: null, proof: null, verdict: null, lesson: null }
let tab = 'Bounds', round = 0, timer

function later() {
  clearTimeout(timer)
  timer = setTimeout(askAll, 250)
}

async function askAll() {
  const mine = ++round, has = $('sched').value.trim() !== ''
  stopProgram()
  Object.keys(answers).forEach(k => { answers[k] = null })
  $('stop').disabled = false
  $('state').textContent = 'working'
  const begun = performance.now()
  const step = async (name, words) => {
    const answer = await ask(words, files())
    if (mine === round) { answers[name] = answer; show() }
    return answer
  }
  if (has) await step('verify', ['verify', spec(), FILES.sched, ...game(), '--json'])
  if (mine === round) await step('bound', ['bound', spec(), ...game(), '--json'])
  if (mine === round) await step('proof', ['bound', spec(), ...game(), '--proof'])
  if (mine === round && has) await step('verdict', ['verify', spec(), FILES.sched, ...game()])
  if (mine === round && tab === 'Lesson') await askLesson()
  if (mine !== round) return
  $('stop').disabled = true
  $('state').textContent = `done in ${Math.round(performance.now() - begun)} ms`
}

async function askLesson() {
  const mine = round, has = $('sched').value.trim() !== ''
  const answer = await ask(['lesson', spec(), ...(has ? [FILES.sched] : []), ...game()], files())
  if (mine === round) { answers.lesson = answer; show() }
}

// ---- what is shown ----

function figure(name, value, note, bad) {
  const box = make('div', undefined, bad ? 'no' : '')
  box.append(make('span', name), make('b', value), make('span', note || ''))
  $('figures').append(box)
}

function showFigures() {
  const v = answers.verify && result('verify'), b = result('bound')
  $('figures').replaceChildren()
  if (v && !v.error?.kind) {
    if (v.legal) figure('the schedule moves', group(v.io), `${group(v.loads)} loads + ${group(v.stores)} stores`)
    else figure('the schedule is', 'not legal', v.error.rule + (v.error.element ? ' at ' + v.error.element : ''), true)
  }
  const best = b?.best || v?.lower_bound
  if (best) figure('any schedule moves at least', group(best.value), `${best.name}, ${best.trust}`)
  if (v?.legal && best && Number(best.value) > 0) figure('ratio', (Number(v.io) / Number(best.value)).toFixed(4), 'schedule over bound')
  if (v?.legal) figure('fast memory used', group(v.peak), `of ${group(v.M)}`)
  const known = b?.schedules?.filter(s => s.io !== null).sort((x, y) => Number(x.io) - Number(y.io))[0]
  if (known) figure('a schedule is known with', group(known.io), known.name + Object.entries(known.params || {}).map(([k, n]) => ` ${k}=${n}`).join(''))
}

function result(name) {
  try { return answers[name] && parse(answers[name].out) } catch { return null }
}

// The first text that is wrong; an illegal move is an error of the schedule.
function troubles() {
  const found = { cdag: null, sched: null }, v = result('verify'), b = result('bound')
  for (const e of [b?.error, v?.error]) {
    if (!e) continue
    const message = e.message || `rule '${e.rule}' is broken${e.element ? ' at ' + e.element : ''}${e.missing ? '; not red: ' + e.missing : ''}${e.loops ? ', ' + e.loops : ''}`
    const of = e.file === FILES.sched || (e === v?.error && !e.message) ? 'sched' : 'cdag'
    found[of] = found[of] || { line: e.line, text: (e.line ? `line ${e.line}${e.column ? ', column ' + e.column : ''}: ` : '') + message }
  }
  for (const name of ['verify', 'bound'])
    if (answers[name] && !result(name) && !found.cdag) found.cdag = { text: answers[name].err.trim() || 'the program gave no answer' }
  return found
}

function showTroubles() {
  const found = troubles()
  for (const which of ['cdag', 'sched']) {
    const text = found[which] ? found[which].text : ''
    if ($(which + 'Error').textContent !== text) $(which + 'Error').textContent = text
    $(which).setAttribute('aria-invalid', String(!!text))
    highlight(grammars[which], $(which).value, found[which]?.line, $(which + 'Shown'))
    follow(which)
  }
}

function boundsTable(b) {
  const table = make('table'), head = make('tr'), body = make('tbody')
  for (const [name, kind] of [['I/O', 'n'], ['bound'], ['trust'], ['holds in']]) { const th = make('th', name, kind); th.scope = 'col'; head.append(th) }
  for (const x of b.bounds) {
    const row = make('tr', undefined, x.holds ? x.name === b.best?.name ? 'best' : '' : 'off')
    row.append(make('td', group(x.value), 'n'), make('td', x.name), make('td', x.trust), make('td', x.model + (x.holds ? '' : ' (not in this game)')))
    body.append(row)
  }
  table.append(make('thead'), body)
  table.tHead.append(head)
  return table
}

function showPanel() {
  const panel = $('panel'), waiting = () => panel.replaceChildren(make('p', 'working', 'note'))
  panel.setAttribute('aria-labelledby', 'tab' + tab)
  if (tab === 'Lesson') return showLesson(waiting)
  lessonShown = null
  if (tab === 'Bounds') { const b = result('bound'); b?.bounds ? panel.replaceChildren(boundsTable(b)) : answers.bound ? panel.replaceChildren(make('p', answers.bound.err)) : waiting() }
  const text = tab === 'Proof' ? answers.proof : tab === 'Verdict' ? answers.verdict : null
  if (tab === 'Verdict' && !$('sched').value.trim()) panel.replaceChildren(make('p', 'There is no schedule to judge.'))
  else if (tab !== 'Bounds') text ? panel.replaceChildren(make(tab === 'Proof' ? 'div' : 'pre', text.out || text.err, tab === 'Proof' ? 'prose' : '')) : waiting()
}

let lessonShown = null
function showLesson(waiting) {
  const answer = answers.lesson
  if (!answer) { if (!lessonShown) waiting(); return }
  if (lessonShown === answer) return
  lessonShown = answer
  if (answer.code !== 0) { $('panel').replaceChildren(make('p', answer.err)); return }
  const frame = make('iframe')
  frame.title = 'The lesson: watch the schedule, play yourself, see the proof'
  frame.src = URL.createObjectURL(new Blob([answer.out], { type: 'text/html' })) + '#embed'
  $('panel').replaceChildren(frame)
}

function show() { showFigures(); showTroubles(); showPanel() }

// ---- controls ----

function follow(which) {
  const from = $(which), shown = $(which + 'Shown').firstChild
  if (shown) shown.style.transform = `translate(${-from.scrollLeft}px,${-from.scrollTop}px)`
}

function fillLibrary(family, chosen) {
  $('library').replaceChildren(...['', ...Object.keys(data.schedules[family] || {}), 'own'].map(n => { const o = make('option', n === '' ? 'none' : n === 'own' ? 'as edited' : n); o.value = n; return o }))
  $('library').value = chosen
}

const familyNow = { name: '' }
function setMemory(m, greatest) {
  if (greatest) $('slider').max = greatest
  $('memory').value = m
  if (/^\d+$/.test(m)) $('slider').value = m
}

function open(words, schedule, m, greatest) {
  const [family, ...params] = words.split(':')
  familyNow.name = family
  $('cdag').value = textOf(family)
  $('cdag').readOnly = family in data.generated
  fit('cdag')
  $('params').value = params.join(':')
  fillLibrary(family, schedule)
  $('sched').value = data.schedules[family]?.[schedule] || ''
  fit('sched')
  setMemory(String(m), greatest)
  edited()
}

// An editor is as high as its text, within bounds; from then on the reader's.
function fit(which) { $(which).style.height = 20 * Math.max(6, Math.min(32, $(which).value.split('\n').length + 1)) + 20 + 'px' }

function openExample(k) {
  const e = data.examples[k]
  open(e.spec, e.schedule, e.memory, e.greatest)
}

function edited() { showTroubles(); keepInAddress(); later() }

// A text of the library is named in the link, any other is in it.
function address() {
  const family = textOf(familyNow.name) === $('cdag').value ? familyNow.name : null
  const library = family && Object.entries(data.schedules[family] || {}).find(([, text]) => text === $('sched').value)
  const words = new URLSearchParams()
  if (family) words.set('spec', family + ($('params').value ? ':' + $('params').value : ''))
  else { words.set('cdag', $('cdag').value); words.set('params', $('params').value) }
  if (library) words.set('sched', library[0])
  else if ($('sched').value.trim()) words.set('schedule', $('sched').value)
  words.set('M', $('memory').value)
  if ($('rules').value !== 'placing') words.set('rules', $('rules').value)
  if ($('oneShot').checked) words.set('one-shot', '1')
  return words.toString()
}

function keepInAddress() { try { history.replaceState(null, '', '#' + address()) } catch { /* a page without an address */ } }

function openAddress() {
  const words = new URLSearchParams(location.hash.slice(1)), spec = words.get('spec'), m = words.get('M') || '20'
  if (!(spec && textOf(spec.split(':')[0])) && words.get('cdag') === null) return false
  if (words.get('rules')) $('rules').value = words.get('rules')
  $('oneShot').checked = words.has('one-shot')
  open(spec || Object.keys(data.families)[0], words.get('sched') || '', m, Math.max(80, 4 * Number(m) || 0))
  if (!spec) { $('cdag').value = words.get('cdag'); $('cdag').readOnly = false; $('params').value = words.get('params') || ''; familyNow.name = ''; fillLibrary('', 'own') }
  if (words.get('schedule')) { $('sched').value = words.get('schedule'); $('library').value = 'own' }
  fit('cdag')
  fit('sched')
  $('example').value = String(data.examples.findIndex(e => e.spec === spec))
  edited()
  return true
}

function chooseTab(name) {
  tab = name
  for (const n of ['Bounds', 'Proof', 'Verdict', 'Lesson']) { $('tab' + n).setAttribute('aria-selected', String(n === name)); $('tab' + n).tabIndex = n === name ? 0 : -1 }
  showPanel()
  if (name === 'Lesson' && !answers.lesson && program.worker) askLesson()
}

function wire() {
  data.examples.forEach((e, k) => { const o = make('option', e.title); o.value = k; $('example').append(o) })
  $('choices').onsubmit = e => e.preventDefault()
  $('example').onchange = () => openExample($('example').value)
  $('library').onchange = () => { const name = $('library').value; if (name !== 'own') { $('sched').value = data.schedules[familyNow.name]?.[name] || ''; edited() } }
  $('slider').oninput = () => { $('memory').value = $('slider').value; edited() }
  $('memory').oninput = () => { setMemory($('memory').value); edited() }
  for (const id of ['params', 'rules', 'oneShot']) $(id).oninput = edited
  for (const which of ['cdag', 'sched']) {
    $(which).oninput = () => { if (which === 'sched') $('library').value = 'own'; answers.verify = answers.bound = null; edited() }
    $(which).onscroll = () => follow(which)
  }
  $('stop').onclick = () => { round++; stopProgram(); $('stop').disabled = true; $('state').textContent = 'stopped' }
  $('link').onclick = async () => {
    keepInAddress()
    try { await navigator.clipboard.writeText(location.href); $('state').textContent = 'link copied' } catch { $('state').textContent = 'the link is in the address bar' }
  }
  const tabs = ['Bounds', 'Proof', 'Verdict', 'Lesson']
  for (const n of tabs) {
    $('tab' + n).onclick = () => chooseTab(n)
    $('tab' + n).onkeydown = e => {
      const step = { ArrowRight: 1, ArrowLeft: 3 }[e.key]
      if (!step) return
      const to = tabs[(tabs.indexOf(n) + step) % 4]
      chooseTab(to)
      $('tab' + to).focus()
    }
  }
  addEventListener('hashchange', () => { if (location.hash.slice(1) !== address()) openAddress() })
}

async function begin() {
  wire()
  const ready = unpackProgram()
  $('state').textContent = 'the program is being unpacked'
  await ready
  startWorker()
  if (!openAddress()) openExample(0)
}
begin()
