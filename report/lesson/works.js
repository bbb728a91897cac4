// works.js -- how much a segment of X words can do, by theorem: the lines of the argument with this instance's numbers.
// A record's parameters hold exact integers; here doubles only show where they come from.
const num = x => typeof x === 'string' || Number.isInteger(x) ? grouped(x) : grouped(x < 100 ? x.toFixed(2) : x.toFixed(1))
// A share: a simple fraction when it is one.
function share(x) {
  for (let d = 1; d <= 12; d++) if (Math.abs(x * d - Math.round(x * d)) < 1e-9) return d === 1 ? String(Math.round(x)) : Math.round(x * d) + '/' + d
  return x.toFixed(3)
}
const power = x => { const t = share(x); return t === '1' ? '' : t.includes('/') ? '^(' + t + ')' : '^' + t }
const percent = x => (100 * x).toFixed(1) + ' %'
const isCount = x => Number.isSafeInteger(x)

// ---- products of three projections: H <= sqrt(a b t), a + b + t <= X, a word serves at most so many steps ----
// The best words, and the weights of the AM-GM that proves it: the logarithm of H is at most a combination of the active limits.
function productBest(X, fibers) {
  const [p, q] = [...fibers].sort((x, y) => x - y)
  if (X <= 3 * p * p) return { H: (X / 3) ** 1.5, words: [X / 3, X / 3, X / 3], limits: [] }
  if (X <= q * q + 2 * p * q) {
    const s = Math.sqrt(p * p + X) - p
    return { H: p * s * s, words: [s * s, p * s, p * s], limits: [p] }
  }
  const H = (X - p * q) * p * q / (p + q)
  return { H, words: [H / p, H / q, p * q], limits: [p, q] }
}
// Exponents: of the limits (alpha) and of sqrt(a b t) (2 gamma); the weights are the words' shares of X.
function productWeights(best, X) {
  const r = best.words.map(w => w / X), gamma = best.limits.length ? r[2] / (1 - r[2]) : 0.5
  return { r, gamma, total: 1 + gamma, alpha: best.limits.map((_, i) => r[i] * (1 + gamma) - gamma) }
}
function productLines(X, fibers, names) {
  const best = productBest(X, fibers), { r, gamma, total, alpha } = productWeights(best, X), [a, b, c] = names
  if (!best.limits.length) return [
    `H ≤ √(${a} ${b} ${c}), and ${a} + ${b} + ${c} ≤ X = ${num(X)}`,
    `√(${a} ${b} ${c}) ≤ ((${a} + ${b} + ${c}) / 3)^(3/2) ≤ (${num(X)}/3)^(3/2) = ${num(best.H)}, by AM-GM with weights 1/3, 1/3, 1/3`
  ]
  const clamp = best.limits.map((p, i) => ` · (${p} ${names[i]})${power(alpha[i])}`).join('')
  return [
    `H ≤ √(${a} ${b} ${c})` + best.limits.map((p, i) => `, H ≤ ${p} ${names[i]}`).join('') + `, and ${a} + ${b} + ${c} ≤ X = ${num(X)}`,
    `H ≤ (${a} ${b} ${c})${power(gamma)}${clamp}; by AM-GM with weights ${r.map(share).join(', ')}, the shares of X, this is at most what it is at ` +
      `${names.map((n, i) => n + ' = ' + num(best.words[i])).join(', ')}: H ≤ ${num(best.H)}`
  ]
}

function productWorks(p, X) {
  if (p.shared || !Array.isArray(p.fibers)) return null
  return { H: productBest(X, p.fibers).H, lines: productLines(X, p.fibers, ['t', 'a', 'b']) }
}

// ---- attention, one product: pairs carried, or made from whole rows and columns ----
function attentionWorks(p, X) {
  const { dk, dv } = p, carried = productBest(X, p.fibers).H, alpha = dv >= dk ? 0 : (dk - dv) / (dk + dv)
  const local = dv >= dk ? X * X / (16 * dk) : dv * X * X / (4 * (dk + dv) ** 2)
  const lines = carried >= local ? ['Pairs carried (e of them), words of the column operand (v), chains (z):', ...productLines(X, p.fibers, ['e', 'v', 'z'])] : [
    `Pairs made here: a words of rows and columns make at most (a / ${2 * dk})² pairs; with b words of operand and chains, H ≤ √(pairs) · b / 2 = a b / ${4 * dk}` + (alpha ? `, and H ≤ ${dv} (a / ${2 * dk})²` : '') + `; a + b ≤ X = ${num(X)}`,
    alpha ? `H ≤ (a b / ${4 * dk})${power(1 - alpha)} · (${dv} a² / ${4 * dk * dk})${power(alpha)} ≤ ${dv} X² / (4 · ${dk + dv}²) = ${num(local)}, by AM-GM with weights ${share((1 + alpha) / 2)} on a and ${share((1 - alpha) / 2)} on b`
      : `a b ≤ ((a + b) / 2)² ≤ X² / 4, by AM-GM with weights 1/2 and 1/2: H ≤ X² / ${16 * dk} = ${num(local)}`
  ]
  return { H: Math.max(carried, local), lines: [...lines, `the other way gives ${num(Math.min(carried, local))}; h is the larger`] }
}

// ---- the largest value of f over 0 <= p <= most: coarse, then fine; for show ----
function largest(f, most) {
  let best = 0
  const look = p => { if (p >= 0 && p <= most && f(p) > f(best)) best = p }
  for (let i = 0; i <= 2000; i++) look(Math.round(most * (i / 2000) ** 2))
  const from = best, reach = Math.ceil(2 * Math.sqrt(most * Math.max(from, 1)) / 2000) + 1
  for (let i = -200; i <= 200; i++) look(from + Math.round(reach * i / 200))
  return best
}

function twoProductWorks(p, X) {
  const d = p.dk, c = e => (X - e) / 2, value = e => c(e) * Math.sqrt(e) + c(e) ** 2 / (4 * d), at = largest(value, X)
  return {
    H: value(at),
    lines: [
      `e pairs carried or born; a words of rows and columns, b of operand and chains; a + b ≤ 2c = X − e. S steps ≤ √e a / 2; Z steps ≤ √(e + (a/${2 * d})²) b / 2 ≤ √e b / 2 + a b / ${4 * d}`,
      `together ≤ √e (a + b) / 2 + a b / ${4 * d} ≤ c √e + c² / ${4 * d}, by AM-GM (a b ≤ ((a + b)/2)²) with weights 1/2 and 1/2`,
      `largest at e = ${num(at)}: ${num(value(at))}`
    ]
  }
}

// ---- work at pairs: row words times column words ----
function carryWorks({ scale, each, sides, pairs }, X) {
  const value = p => scale * (X - p) ** 2 / 4 + Math.min(each * p, sides / 2 * Math.sqrt(p) * (X - p)), at = largest(value, Math.min(X, pairs)), s = scale === 1 ? '' : scale + ' · '
  return {
    H: value(at),
    lines: [
      `Pairs made here: weight ≤ ${s}R C, R row words and C column words; R + C ≤ X − p with p pairs carried`,
      `R C ≤ ((R + C) / 2)² ≤ (X − p)² / 4, by AM-GM with weights 1/2 and 1/2`,
      `Pairs carried: weight ≤ ${each} p, and by Loomis and Whitney ≤ ${num(sides / 2)} √p (X − p)`,
      `${s}(X − p)²/4 + the smaller is largest at p = ${num(at)}: ${num(value(at))}`
    ]
  }
}
const carryOf = b => {
  const p = b.parameters, d = p.d
  if (b.name === 'covering') return { scale: p.scale, each: p.kinds.reduce((s, k) => s + k.weight * k.slices, 0), sides: p.sides, pairs: p.pairs }
  return b.name === 'backward-14' ? { scale: 1, each: 14 * d * d, sides: 6 * d, pairs: p.pairs } : { scale: 1, each: 12 * d * d, sides: 4 * d, pairs: p.pairs }
}

// ---- approximate attention: features in the place of columns; a chain made again needs carried features of its own ----
function lowrankWorks(p, X) {
  const { d, keys } = p, again = X < keys ? 0 : Math.floor(X / keys) + 1, apart = again ? keys - Math.floor(X / d) : 1
  if (apart < 1 || 2 * again > apart) return null
  const keep = (apart - again) / apart, each = (p.dv + (p.normaliser ? 1 : 0)) * (d + 1), Y = e => X - e * keep, more = p.weigh_normaliser ? d * X : 0
  const value = e => Y(e) ** 2 / 4 + Math.min(each * e, (d + 1) / 2 * Math.sqrt(e) * Y(e)), at = largest(value, X)
  return {
    H: value(at) + more,
    lines: [
      `A step weighs ${d + 1}. Features made here: weight ≤ R C, R words of tokens and C chains; R + C ≤ Y = X − ${again ? share(keep) + ' ' : ''}e with e features carried`,
      'R C ≤ ((R + C) / 2)² ≤ Y² / 4, by AM-GM with weights 1/2 and 1/2',
      `Features carried: weight ≤ ${each} e, and by Loomis and Whitney ≤ ${num((d + 1) / 2)} √e Y` + (more ? `; ${d} X = ${num(more)} for the normaliser` : ''),
      `the sum is largest at e = ${num(at)}: ${num(value(at) + more)}`
    ]
  }
}

// ---- attention with stores among the events: no formula, but boxes ----
function threeWayWorks(p, X) {
  return {
    H: null,
    lines: [
      `Of a step's weight 1 the share w = ${p.share}/${p.share_of} lies on the score computations it used. e pairs carried in, e' carried out; a words of rows and columns, b = v + z of operand and chains; e + a + b ≤ X = ${num(X)}, e + e' ≤ X + M − a − b`,
      `√(E v z) ≤ √E b / 2, by AM-GM with weights 1/2 and 1/2, for E = (a / ${2 * p.dk})² pairs made here and for E + e; scores ≤ √(e + e') a / 2, by the same`,
      'the largest weight is bounded on boxes of (a, b), each at its upper corner: exact, but no single line'
    ]
  }
}

// ---- any reduction: exponents from a linear program; of several, the best proves; of two ways to have a value, the larger counts ----
const subscript = i => String(i + 1).replace(/\d/g, c => '₀₁₂₃₄₅₆₇₈₉'[c])
// The words a way needs, each with its exponent and how many go into one setting.
function wayTerms(way, e) {
  return way.needs.flatMap((n, i) => !n.made ? [{ name: n.term < 0 ? 'chains' : 'x' + subscript(i), each: 1, power: e.needs[i] / e.den }]
    : (n.of || []).map(o => ({ name: o.array, each: o.words, power: e.needs[i] / e.den * o.power / n.power_den }))).filter(t => t.power > 0)
}
function extents(name) {
  const a = DATA.arrays.find(x => x.name === name)
  return !a ? [] : TILED ? a.cuts.map(c => c[c.length - 1] - c[0]) : (a.elements[0] || []).map((_, r) => new Set(a.elements.map(x => x[r])).size)
}
function wayBest(way, X, lengths) {
  const found = way.exponents.map(e => {
    const terms = wayTerms(way, e), total = terms.reduce((s, t) => s + t.power, 0), loops = e.loops.map(x => x / e.den)
    const H = terms.reduce((h, t) => h * (t.power * X / total / t.each) ** t.power, 1) * loops.reduce((h, z, r) => z ? h * lengths[r] ** z : h, 1)
    return { H, terms, total, loops }
  })
  return found.reduce((b, f) => f.H < b.H ? f : b)
}
function wayLines(w, X, lengths, made) {
  const walls = w.loops.map((z, r) => z ? ` · ${lengths[r]}${power(z)}` : '').join('')
  if (!w.total) return [`${made}H ≤${walls.slice(2)} = ${num(w.H)}: no words at all, the loops alone`]
  return [
    `${made}H ≤ ${w.terms.map(t => (t.each > 1 ? `(${t.name} / ${t.each})` : t.name) + power(t.power)).join(' · ')}${walls}: the exponents solve the linear program; ${w.terms.map(t => t.name).join(' + ')} ≤ X = ${num(X)}`,
    `by AM-GM with weights ${w.terms.map(t => share(t.power / w.total)).join(', ')}, the shares of X, at most what it is at ${w.terms.map(t => t.name + ' = ' + num(t.power * X / w.total)).join(', ')}: ${num(w.H)}`
  ]
}
function projectiveWorks(p, X) {
  const lengths = extents(p.statement)
  if (p.ways.some(w => !w.exponents.length || w.needs.some(n => n.factor !== undefined && n.factor !== 1))) return null
  const best = p.ways.map(w => wayBest(w, X, lengths))
  if (best.some(b => !Number.isFinite(b.H))) return null
  const word = i => p.ways.length === 1 ? '' : p.ways[i].needs.some(n => n.made) ? 'Values made here: ' : 'Values carried: '
  const sum = best.reduce((s, b) => s + b.H, 0), alone = best.length < 2 || p.best_way_alone
  const last = best.length < 2 ? [] : [alone ? 'a mixture does no more than the better of the two' : `a mixture may do both: together at most ${num(sum)}`]
  return { H: alone ? Math.max(...best.map(b => b.H)) : sum, lines: [...best.flatMap((b, i) => wayLines(b, X, lengths, word(i))), ...last] }
}

// What a segment of X words does, and why: { H, lines }, or null when the theorem has no such lines.
function worksOf(b, X) {
  const p = b.parameters
  if (!isCount(X)) return null
  if (b.name === 'product-segment') return productWorks(p, X)
  if (b.name === 'attention-segment' && isCount(p.dk) && Array.isArray(p.fibers)) return attentionWorks(p, X)
  if (b.name === 'attention-two-products') return twoProductWorks(p, X)
  if (['covering', 'backward-12', 'backward-14'].includes(b.name)) return carryWorks(carryOf(b), X)
  if (b.name === 'lowrank') return lowrankWorks(p, X)
  if (b.name === 'attention-three-way') return threeWayWorks(p, X)
  if (b.name === 'projective') return projectiveWorks(p, X)
  return null
}

// ---- the arithmetic of the record ----
function segmentArithmetic(p) {
  const units = p.kinds || p.share || p.d || p.W ? 'units of work' : 'steps', T1 = p.first, T = p.length, n = p.segments, many = n > 1 && isCount(T)
  const lines = [`first segment: ${num(T1)} events, X = ${num(T1)} words, at most h(X) = ${num(p.most_first)} ${units}`]
  if (many) lines.push(`each other: ${num(T)} events, X = M + ${num(T)} = ${num(M + T)} words, at most h(X) = ${num(p.most)} ${units}`)
  if ([n, p.most, p.most_first, p.work].every(isCount)) {
    const done = p.most_first + (n - 1) * p.most
    if (isCount(done) && done < p.work) lines.push(`${many ? `${num(p.most_first)} + ${num(n - 1)} · ${num(p.most)} = ` : ''}${num(done)} < ${num(p.work)}, the work to be done: ${many ? num(n) + ' segments are' : 'one segment is'} too few, so`)
  }
  lines.push(`events ≥ ${many ? `${num(T1)} + ${num(n - 1)} · ${num(T)} + 1` : `${num(T1)} + 1`} = ${num(p.events)}`)
  return lines
}
function accountLine(b) {
  const p = b.parameters, stores = p.stores || 0
  return isCount(p.events) ? `Q ≥ ${num(p.events)} − ${num(p.births)} births` + (p.stores !== undefined ? ` + ${num(stores)} output stores` : '') + ` = ${num(p.events - p.births + stores)}` : `Q ≥ ${num(b.value)}`
}
function backwardArithmetic(b) {
  const p = b.parameters, d = p.d, all = 14 * d * d * p.pairs, each = Math.max(p.most / p.length, M + d * d), events = Math.floor((all - p.most_first) / each) + 1
  if (![p.most, p.length, p.most_first, p.pairs].every(isCount)) return []
  return [
    `stores counted too: 14 d² pairs = ${num(all)} of weight, H(T) = ${num(p.most_first)} in the first segment of T = ${num(p.length)} events; then each event or store brings at most max(H(M+T)/T, M + d²) = ${num(each)}`,
    `so events and stores ≥ about (${num(all)} − ${num(p.most_first)}) / ${num(each)} + 1 = ${num(events)}; loads alone give ${num(p.loads.events)} events and ${num(p.loads.stores)} stores; the larger: ${num(p.events_and_stores)}`,
    `Q ≥ ${num(p.events_and_stores)} − ${num(p.loads.births)} births = ${num(b.value)}`
  ]
}
// Segments of T loads, and how many vertices are within reach of so many words: for any graph.
const isReach = b => (b.name === 's-partition' || b.name === 'fft-segments') && [b.parameters.T, b.parameters.first, b.parameters.later].every(isCount)
function reachArithmetic(b) {
  const { T, first, later } = b.parameters, work = PREDS.filter(p => p.length).length, outputs = DATA.outputs.filter(v => !isInput[v]).length
  const n = Math.ceil((work - first) / later) + 1
  if (!(later > 0) || work <= first || T * (n - 1) + 1 + outputs !== Number(b.value)) return []
  return [
    `a segment has ${num(T)} loads; when it begins at most M − 1 = ${num(M - 1)} words are red. Within reach of ${num(M - 1 + T)} words are at most ${num(later)} vertices, of the ${num(T)} of the first segment at most ${num(first)}`,
    `${num(work)} vertices are computed: at least 1 + ⌈(${num(work)} − ${num(first)}) / ${num(later)}⌉ = ${num(n)} segments, so loads ≥ ${num(n - 1)} · ${num(T)} + 1 = ${num((n - 1) * T + 1)}`,
    `Q ≥ ${num((n - 1) * T + 1)} + ${num(outputs)} output stores = ${num(b.value)}`
  ]
}
function arithmeticOf(b) {
  const p = b.parameters
  if (isReach(b) && !TILED) return reachArithmetic(b)
  if (b.name === 'backward-14') return [...segmentArithmetic({ d: p.d, ...p.loads }), ...backwardArithmetic(b)]
  if (p.events !== undefined && p.first !== undefined && p.most_first !== undefined) return [...segmentArithmetic(p), accountLine(b)]
  if (p.events !== undefined && p.births !== undefined) return [`${num(p.segments)} segments: ${num(p.first)} events in the first, ${num(p.length)} in the others, and one more: events ≥ ${num(p.events)}`, accountLine(b)]
  return []
}
