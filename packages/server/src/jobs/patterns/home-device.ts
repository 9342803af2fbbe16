/** The device of at least half of an account's visits; undefined when there is none. */
export function homeDevice(devices: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string, number>()
  for (const device of devices) if (device !== undefined) counts.set(device, (counts.get(device) ?? 0) + 1)
  const [most] = [...counts].sort(([, a], [, b]) => b - a)
  return most !== undefined && most[1] * 2 >= devices.length ? most[0] : undefined
}
