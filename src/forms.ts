// "intab/forms": what a form of your own needs to know of a question. Runs in a browser, a worker and Node.

export { checkForm } from './forms/check-form.js'
export type { FormProblem } from './forms/check-form.js'
