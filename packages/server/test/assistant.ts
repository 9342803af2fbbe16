import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'

const BIN = fileURLToPath(new URL('../bin/inkling.js', import.meta.url))

/** An assistant that started `inkling mcp` as its own process, as assistants do. */
export async function connectAssistant(env: Record<string, string>): Promise<Client> {
  const client = new Client({ name: 'test', version: '0' })
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [BIN, 'mcp'], env }))
  return client
}

export async function callTool(
  client: Client,
  name: string,
  args: object,
): Promise<{ ok: boolean; text: string }> {
  const result = await client.callTool({ name, arguments: { ...args } })
  const { content, isError } = CallToolResultSchema.parse(result)
  const [first] = content
  if (first?.type !== 'text' || content.length !== 1) throw new Error('not one text')
  return { ok: isError !== true, text: first.text }
}

export async function askTool(client: Client, name: string, args: object) {
  const { ok, text } = await callTool(client, name, args)
  if (!ok) throw new Error(text)
  return JSON.parse(text)
}
