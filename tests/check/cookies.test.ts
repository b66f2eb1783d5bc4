import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const reads =
  /(?:get|header)\(\s*['"`]cookie['"`]|\bheaders(?:\.cookie\b|\[['"`]cookie)|createCookie|getCookie|findPlainCookie\(/i

test('only the files that name the shop’s cookies read a request’s', () => {
  // Pages come from memory unless a cookie that one of these files names is in the request.
  const files = ['app', 'server'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => join(folder, file)),
  )
  expect(files.filter((file) => reads.test(readFileSync(file, 'utf8'))).toSorted()).toEqual([
    'app/http/cookies.server.ts',
    'app/http/density-cookie.ts',
    'app/http/find-plain-cookie.ts',
    'app/http/sidebar-cookie.ts',
  ])
})
