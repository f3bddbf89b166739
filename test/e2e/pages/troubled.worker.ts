try {
  Reflect.construct(Function, ['return 1'])
} catch {
  // The violation is reported all the same, which is the point.
}
setTimeout(() => {
  throw new Error('thrown in the worker')
})
// oxlint-disable-next-line typescript/no-misused-promises -- nobody is to catch it
setTimeout(() => Promise.reject(new Error('rejected in the worker')))
export {}
