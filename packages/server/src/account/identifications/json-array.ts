/** Text of a JSON array, one element a line, written while it is read. */
export async function* jsonArray(elements: AsyncIterable<object>): AsyncGenerator<string> {
  let before = '[\n'
  for await (const element of elements) {
    yield `${before}${JSON.stringify(element)}`
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}
