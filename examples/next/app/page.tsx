import { Files } from './files'

export default function Page() {
  return <Files />
}
