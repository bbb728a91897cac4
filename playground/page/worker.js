// worker.js -- runs the program where it cannot freeze the page; ended and begun again to stop a run.
let module
onmessage = async ({ data }) => {
  if (data.bytes) { module = load(data.bytes); return }
  const begun = performance.now(), answer = run(await module, data.words, data.files)
  postMessage({ id: data.id, ...answer, milliseconds: performance.now() - begun })
}
