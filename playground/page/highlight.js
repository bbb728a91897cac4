// highlight.js -- a line of text in spans, by a TextMate grammar of plain patterns (editors/vscode/syntaxes).
function makeGrammar(grammar) {
  return grammar.patterns.map(p => {
    const name = p.name || p.captures[1].name, parts = name.split('.')
    return { match: new RegExp(p.match, 'g'), kind: parts[0] === 'keyword' && parts[1] === 'operator' ? 'operator' : parts[0], captured: !p.name }
  })
}

// The first match wins, of several at one place the pattern that comes first.
function highlightLine(grammar, line, put) {
  let at = 0
  while (at < line.length) {
    let best = null, of = null
    for (const p of grammar) {
      p.match.lastIndex = at
      const m = p.match.exec(line)
      if (m && m[0] && (!best || m.index < best.index)) [best, of] = [m, p]
    }
    if (!best) break
    const text = of.captured ? best[1] : best[0]
    put(line.slice(at, best.index), null)
    put(text, of.kind)
    at = best.index + text.length
  }
  put(line.slice(at), null)
}

function highlight(grammar, text, wrong, into) {
  const inner = document.createElement('span')
  inner.className = 'inner'
  text.split('\n').forEach((line, i) => {
    const row = document.createElement('span')
    row.className = i + 1 === wrong ? 'line wrong' : 'line'
    highlightLine(grammar, line, (part, kind) => {
      if (!part) return
      const span = document.createElement('span')
      if (kind) span.className = kind
      span.textContent = part
      row.append(span)
    })
    inner.append(row)
  })
  into.replaceChildren(inner)
}
