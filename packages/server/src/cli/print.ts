/** Prints one JSON value, or a table for people. */
export function print(value: object, json: boolean): void {
  if (json) console.log(JSON.stringify(value))
  else if (!Array.isArray(value)) console.log(lines(value))
  else if (value.length === 0) console.log('none')
  else console.table(value)
}

function lines(value: object): string {
  const entries = Object.entries(value)
  const width = Math.max(...entries.map(([name]) => name.length))
  return entries.map(([name, text]) => `${name.padEnd(width)}  ${text}`).join('\n')
}
