// The SDK's in-memory task store wants Node's crypto for its ids.

export const randomBytes = (size: number): { toString(): string } => ({
  toString: () => Array.from(crypto.getRandomValues(new Uint8Array(size)), (byte) => byte.toString(16)).join('')
})
