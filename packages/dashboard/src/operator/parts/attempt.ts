import { notifications } from '@mantine/notifications'

/** Runs a change and tells how it went; the words of a refusal are the server's. */
export async function attempt<Result>(
  done: string,
  change: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    const result = await change()
    notifications.show({ message: done, color: 'teal' })
    return result
  } catch (error) {
    notifications.show({
      message: error instanceof Error ? error.message : String(error),
      color: 'red',
      role: 'alert',
    })
    return undefined
  }
}
