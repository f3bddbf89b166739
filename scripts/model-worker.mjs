// What the board's build and its server do for the worker in which the agent's model runs: src/demo/agent/transformers.worker.ts

/** Files that nobody loads before the person chooses to load a model; the service worker does not keep them. */
export const later = /^assets\/(transformers|ort-)/

/**
 * The policy for the response at a path. A worker is ruled by the header of its own script's response, so the model's worker
 * alone may compile WebAssembly, and fetch from the hosts of huggingface.co.
 * @param {string} policy the page's
 * @param {string} path
 */
export const policyFor = (policy, path) =>
  /\/transformers\.worker-[\w-]{8}\.js$/.test(path)
    ? `${policy.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")}; connect-src 'self' https://huggingface.co https://*.hf.co`
    : policy

/**
 * Transformers.js asks for the runtime with WebGPU, whose file is twice as large; the worker uses the one for processors.
 * @returns {import('vite').Plugin}
 */
export const smallRuntime = () => ({
  name: 'small-runtime',
  config: () => ({ resolve: { alias: { 'onnxruntime-web/webgpu': 'onnxruntime-web/wasm' } } })
})
