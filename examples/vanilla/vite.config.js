import { intab } from 'intab/vite'

export default { plugins: [intab()], build: { target: 'es2022' } }
