// program.mjs -- the program in WebAssembly as a function: words and files in, what it prints and its exit code out.
// Each run has a memory of its own, so nothing is left of the one before.  The calls below are all that the C library asks of a system.

const ENOENT = 44, ENOSYS = 52, EBADF = 8, ENOTTY = 59
class Exit extends Error { constructor(code) { super('exit'); this.code = code } }

export const load = bytes => WebAssembly.compile(bytes)

export function run(module, words, files) {
  const encoder = new TextEncoder(), decoder = new TextDecoder(), written = { 1: [], 2: [] }, open = new Map()
  let memory, instance, next = 3
  const view = () => new DataView(memory.buffer), bytes = () => new Uint8Array(memory.buffer)
  const textAt = p => { const b = bytes(), at = Number(p); return decoder.decode(b.slice(at, b.indexOf(0, at))) }
  const buffers = (list, n) => Array.from({ length: Number(n) }, (_, i) => [Number(view().getBigUint64(Number(list) + 16 * i, true)), Number(view().getBigUint64(Number(list) + 16 * i + 8, true))])
  const setLong = (p, value) => view().setBigUint64(Number(p), BigInt(value), true)
  const content = path => files[path.replace(/^\.?\//, '')]
  const openFile = path => {
    const text = content(path)
    if (text === undefined) return -ENOENT
    open.set(next, { data: encoder.encode(text), at: 0 })
    return next++
  }
  // the fields of struct stat that the program reads: what kind of file, and how large
  const stat = (text, p) => {
    if (text === undefined) return -ENOENT
    const at = Number(p)
    bytes().fill(0, at, at + 128)
    view().setUint32(at + 16, 0o100444, true)
    view().setBigUint64(at + 48, BigInt(encoder.encode(text).length), true)
    return 0
  }
  const system = {
    emscripten_memcpy_big: (to, from, n) => { bytes().copyWithin(Number(to), Number(from), Number(from) + Number(n)); return to },
    emscripten_resize_heap: size => {
      const pages = Math.ceil((Number(size) - memory.buffer.byteLength) / 65536)
      try { memory.grow(pages); return 1 } catch { return 0 }
    },
    page_seconds: () => (performance.timeOrigin + performance.now()) / 1e3,
    __syscall_open: path => openFile(textAt(path)),
    __syscall_openat: (_, path) => openFile(textAt(path)),
    __syscall_stat64: (path, p) => stat(content(textAt(path)), p),
    __syscall_fstat64: (fd, p) => open.has(Number(fd)) ? stat(decoder.decode(open.get(Number(fd)).data), p) : -EBADF,
    __syscall_fcntl64: () => 0,
    __syscall_ioctl: () => -ENOTTY,
    abort: () => { throw new Exit(134) },
    __syscall_madvise: () => 0,
    __syscall_faccessat: (_, path) => content(textAt(path)) === undefined ? -ENOENT : 0,
  }
  const wasi = {
    fd_write: (fd, list, n, done) => {
      if (!written[fd]) return EBADF
      let sum = 0
      for (const [at, length] of buffers(list, n)) { written[fd].push(bytes().slice(at, at + length)); sum += length }
      setLong(done, sum)
      return 0
    },
    fd_read: (fd, list, n, done) => {
      const file = open.get(fd)
      if (!file && fd !== 0) return EBADF
      let sum = 0
      for (const [at, length] of file ? buffers(list, n) : []) {
        const part = file.data.subarray(file.at, file.at + length)
        bytes().set(part, at)
        file.at += part.length
        sum += part.length
      }
      setLong(done, sum)
      return 0
    },
    fd_seek: (fd, offset, whence, result) => {
      const file = open.get(fd)
      if (!file) return EBADF
      file.at = Number(offset) + [0, file.at, file.data.length][whence]
      setLong(result, file.at)
      return 0
    },
    fd_close: fd => open.delete(fd) ? 0 : EBADF,
    proc_exit: code => { throw new Exit(code) },
  }
  const imports = { env: {}, wasi_snapshot_preview1: {} }
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    const asked = (from === 'env' ? system : wasi)[name]
    imports[from][name] = name.startsWith('__syscall_') ? (...words) => BigInt(asked ? asked(...words) : -ENOSYS) : asked || (() => ENOSYS)
  }
  instance = new WebAssembly.Instance(module, imports)
  memory = instance.exports.memory
  const code = call(instance.exports, ['redblue', ...words])
  const text = fd => decoder.decode(Uint8Array.from(written[fd].flatMap(b => [...b])))
  return { code, out: text(1), err: text(2) }

  function call(program, argv) {
    const place = text => {
      const b = encoder.encode(text + '\0'), at = Number(program.malloc(BigInt(b.length)))
      bytes().set(b, at)
      return BigInt(at)
    }
    program.__wasm_call_ctors()
    const places = argv.map(place), list = program.malloc(BigInt(8 * (argv.length + 1)))
    ;[...places, 0n].forEach((p, i) => setLong(Number(list) + 8 * i, p))
    try {
      return program.main(argv.length, list)
    } catch (e) {
      if (e instanceof Exit) return e.code
      written[2].push(encoder.encode(e instanceof RangeError ? 'redblue: the stack of this browser is too small for it\n' : `redblue: the program was ended by the browser: ${e.message}\n`))
      return 4
    }
  }
}
