// What an app loads when it is needed.
export const lazy = 'loaded later'
