// Language models of a few kilobytes, made here and served beside the tests' pages: a table says which token follows which.
// Each is a real ONNX file with a real tokenizer: https://onnx.ai/onnx/repo-docs/IR.html
import type { Plugin } from 'vite'

const varint = (value: number): number[] => (value < 128 ? [value] : [(value % 128) | 128, ...varint(value >> 7)])

/** A field of protobuf: a number, or bytes with their length: https://protobuf.dev/programming-guides/encoding/ */
function field(number: number, value: number | string | Buffer): Buffer {
  if (typeof value === 'number') return Buffer.from([...varint(number << 3), ...varint(value)])
  const bytes = Buffer.from(value as string)
  return Buffer.concat([Buffer.from([...varint((number << 3) | 2), ...varint(bytes.length)]), bytes])
}

const message = (...fields: Buffer[]): Buffer => Buffer.concat(fields)
const [float, int64] = [1, 7]

/** A tensor whose dimensions have any size. */
function tensorOf(name: string, type: number, ...dimensions: string[]): Buffer {
  const shape = message(...dimensions.map((dimension) => field(1, field(2, dimension))))
  return message(field(1, name), field(2, field(1, message(field(1, type), field(2, shape)))))
}

/** One node: the logits after each token are its row of the table. */
function onnx(table: number[][]): Buffer {
  const weights = Buffer.from(Float32Array.from(table.flat()).buffer)
  const size = table.length
  const graph = message(
    field(1, message(field(1, 'table'), field(1, 'input_ids'), field(2, 'logits'), field(4, 'Gather'))),
    field(2, 'bigrams'),
    field(5, message(field(1, size), field(1, size), field(2, float), field(8, 'table'), field(9, weights))),
    field(11, tensorOf('input_ids', int64, 'batch', 'length')),
    field(12, tensorOf('logits', float, 'batch', 'length', 'tokens'))
  )
  return message(field(1, 8), field(7, graph), field(8, message(field(1, ''), field(2, 13))))
}

/** What the model says whole, each a token. */
const [unknown, end, call, say, thenCall, thenSay] = [0, 1, 2, 3, 4, 5]
const whole = [
  '<unk>',
  '<end>',
  '{"call":"countdown","arguments":{"seconds":1}}',
  '{"say":"It is over"}',
  '<call>',
  '<say>'
]
const tokens = [...whole, ...Array.from({ length: 95 }, (_, n) => String.fromCharCode(32 + n))]

/** Calls the countdown, and says that it is over once it has returned. */
const follows = new Map([
  [thenCall, call],
  [call, end],
  [thenSay, say],
  [say, end]
])
const scripted = tokens.map((_, from) => tokens.map((__, to) => (follows.get(from) === to ? 9 : 0)))

/** A table of noise, which never ends by itself. */
function noise(): number[][] {
  let seed = 7
  const next = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  return tokens.map(() => tokens.map((_, to) => (to < whole.length ? -9 : next())))
}

const template =
  "{% for message in messages %}{{ message['content'] }}\n{% endfor %}" +
  "{% if 'The tool countdown returned' in messages[-1]['content'] %}<say>{% else %}<call>{% endif %}"

const shared = {
  'config.json': {
    model_type: 'gpt2',
    architectures: ['GPT2LMHeadModel'],
    n_layer: 1,
    n_head: 1,
    n_embd: 4,
    vocab_size: tokens.length,
    eos_token_id: end
  },
  'generation_config.json': { eos_token_id: end },
  'tokenizer_config.json': {
    tokenizer_class: 'PreTrainedTokenizer',
    unk_token: whole[unknown],
    eos_token: whole[end],
    chat_template: template
  },
  'tokenizer.json': {
    version: '1.0',
    added_tokens: whole.map((content, id) => ({ id, content, special: id !== call && id !== say })),
    normalizer: null,
    pre_tokenizer: null,
    post_processor: null,
    decoder: { type: 'Fuse' },
    model: {
      type: 'BPE',
      unk_token: whole[unknown],
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
      merges: []
    }
  }
}

/** Serves `/tiny-models/scripted/…` and `/tiny-models/noise/…`. */
export function tinyModels(): Plugin {
  const files = new Map<string, Buffer>()
  for (const [name, table] of [
    ['scripted', scripted],
    ['noise', noise()]
  ] as const) {
    files.set(`${name}/onnx/model_quantized.onnx`, onnx(table))
    for (const [file, content] of Object.entries(shared)) {
      files.set(`${name}/${file}`, Buffer.from(JSON.stringify(content)))
    }
  }
  return {
    name: 'tiny-models',
    configurePreviewServer(server) {
      server.middlewares.use('/tiny-models/', ({ url = '' }, response) => {
        const file = files.get(url.replace(/^\//, '').replace(/\?.*$/, ''))
        response.statusCode = file === undefined ? 404 : 200
        response.end(file)
      })
    }
  }
}
