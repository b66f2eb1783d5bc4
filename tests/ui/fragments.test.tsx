import { setFastPaths } from '#domain/fast-paths.ts'
import { wantsFastPaths } from '#tests/support/fast-paths.ts'
import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFragmentCache, renderFragment } from '#app/render/fragment-cache.server.ts'
import { contentOf, ownContent, setFragmentRenderer } from '#app/render/fragments.tsx'

const Name = vi.fn<(props: { name: string }) => React.ReactNode>(({ name }) => <b>{name}</b>)
const Title = ({ name }: { name: string }) => <i>{name}</i>

beforeEach(() => setFastPaths(true))
afterEach(() => {
  setFastPaths(wantsFastPaths)
  Name.mockClear()
})

test('the same component with the same props is rendered once', () => {
  const render = createFragmentCache(renderToStaticMarkup, 1000)
  expect(render(Name, { name: 'Aspirin' })).toBe('<b>Aspirin</b>')
  expect(render(Name, { name: 'Aspirin' })).toBe('<b>Aspirin</b>')
  expect(Name).toHaveBeenCalledTimes(1)
})

test('other props, and another component, have their own HTML', () => {
  const render = createFragmentCache(renderToStaticMarkup, 1000)
  expect(render(Name, { name: 'Aspirin' })).toBe('<b>Aspirin</b>')
  expect(render(Name, { name: 'Ibuprofen' })).toBe('<b>Ibuprofen</b>')
  expect(render(Title, { name: 'Aspirin' })).toBe('<i>Aspirin</i>')
})

test('the least recently used entry is evicted when the cache is full', () => {
  // Room for two: 14 characters of the key and 8 of the HTML each.
  const render = createFragmentCache(renderToStaticMarkup, 2 * (14 + 8))
  const letters = ['a', 'b', 'a', 'c']
  for (const name of letters) render(Name, { name })
  expect(Name).toHaveBeenCalledTimes(3)
  render(Name, { name: 'a' })
  expect(Name).toHaveBeenCalledTimes(3)
  render(Name, { name: 'b' })
  expect(Name).toHaveBeenCalledTimes(4)
})

test('a fragment larger than the cache is rendered each time', () => {
  const render = createFragmentCache(renderToStaticMarkup, 10)
  expect(render(Name, { name: 'a' })).toBe('<b>a</b>')
  expect(render(Name, { name: 'a' })).toBe('<b>a</b>')
  expect(Name).toHaveBeenCalledTimes(2)
})

test('without fast paths every fragment is rendered each time', () => {
  setFastPaths(false)
  const render = createFragmentCache(renderToStaticMarkup, 1000)
  render(Name, { name: 'a' })
  render(Name, { name: 'a' })
  expect(Name).toHaveBeenCalledTimes(2)
})

test('an element with cached content has the same HTML, between its neighbors', () => {
  setFragmentRenderer(renderFragment)
  const List = ({ content }: { content: typeof contentOf }) => (
    <ul>
      <li>first</li>
      <li {...content(Name, { name: 'Aspirin & “more”' })} />
      <li>{'last'}</li>
    </ul>
  )
  const own = renderToString(<List content={ownContent} />)
  expect(own).toContain('<b>Aspirin &amp; “more”</b>')
  Name.mockClear()
  expect(renderToString(<List content={contentOf} />)).toBe(own)
  expect(renderToString(<List content={contentOf} />)).toBe(own)
  expect(Name).toHaveBeenCalledTimes(1)
})
