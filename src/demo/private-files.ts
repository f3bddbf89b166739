// What the browser lends an origin to keep things in; some have none, as WebKitGTK and private windows of Firefox.
// https://developer.mozilla.org/docs/Web/API/File_System_API/Origin_private_file_system

const storage = (): Partial<StorageManager> => (navigator as Partial<Navigator>).storage ?? {}

/** Undefined where the browser does not tell. */
export const storageUse = async (): Promise<StorageEstimate | undefined> => storage().estimate?.()

/** A folder of the origin private file system, made if it is not there; undefined without such a system. */
export async function privateFolder(name: string): Promise<FileSystemDirectoryHandle | undefined> {
  const root = await storage().getDirectory?.()
  return root?.getDirectoryHandle(name, { create: true })
}

export async function removePrivateFolder(name: string): Promise<void> {
  const root = await storage().getDirectory?.()
  await root?.removeEntry(name, { recursive: true })
}

export const noPrivateFiles = (): Error =>
  new Error('This browser has no private file system here: try a window that is not private, or another browser')
