import { taskTool } from 'intab/worker'
import * as z from 'zod'

const url = 'https://allisonhorst.github.io/palmerpenguins/'

/** Shows a question that sends the person to a page: https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#url-mode-elicitation-requests */
export const openSource = taskTool(
  'open_source',
  {
    title: 'Open the source of the data',
    description: 'Asks you to open a page elsewhere. Your client shows its host first, and opens nothing by itself.',
    inputSchema: z.object({}),
    taskSupport: 'required',
    onInterrupt: 'resume'
  },
  async (_, task) => {
    const { action } = await task.elicitUrl({ message: 'See where the penguins come from', url })
    const text = { accept: 'Opened', decline: 'Declined to open', cancel: 'Did not decide on' }[action]
    return {
      content: [
        { type: 'text', text: `${text} the page` },
        { type: 'resource_link', uri: url, name: 'palmerpenguins', title: 'The palmerpenguins data' }
      ]
    }
  }
)
