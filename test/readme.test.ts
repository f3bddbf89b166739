import { execFile } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { writeReadmeFiles } from './support/readme.js'

test('the code of the README compiles as it stands, in the strictest settings', { timeout: 60_000 }, async () => {
  const folder = await writeReadmeFiles('readme-types')
  expect((await readdir(folder)).sort()).toEqual(['main.ts', 'mcp.worker.ts', 'vite.config.ts'])
  const root = join(folder, '..', '..', '..')
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      module: 'esnext',
      moduleResolution: 'bundler',
      rootDir: root,
      paths: { intab: [join(root, 'src/index.ts')], 'intab/*': [join(root, 'src/*.ts')] }
    },
    include: [folder]
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch(
    (error: { stdout: string }) => error
  )
  expect(stdout).toBe('')
})
