// Arrows, Page Up and Down, space, Home and End go from slide to slide; the address says which is shown.
const slides = [...document.querySelectorAll('.slide')]
const shown = () => slides.reduce((best, s, k) => Math.abs(s.getBoundingClientRect().top) < Math.abs(slides[best].getBoundingClientRect().top) ? k : best, 0)
const go = k => { const s = slides[Math.max(0, Math.min(slides.length - 1, k))]; s.scrollIntoView(); history.replaceState(null, '', '#' + s.id) }
addEventListener('keydown', e => {
  if (e.ctrlKey || e.altKey || e.metaKey || e.target.closest('pre, .wide, summary')) return
  const k = shown(), to = { ArrowRight: k + 1, ArrowDown: k + 1, PageDown: k + 1, ' ': e.shiftKey ? k - 1 : k + 1, ArrowLeft: k - 1, ArrowUp: k - 1, PageUp: k - 1, Home: 0, End: slides.length - 1 }[e.key]
  if (to === undefined) return
  e.preventDefault()
  go(to)
})
