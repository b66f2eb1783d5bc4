import { Disclosure } from '../../../ui/Disclosure.tsx'

/** What no list could be compared with, in words. */
export const NotChecked = ({ texts }: { texts: readonly string[] }) =>
  texts.length === 0 ? null : (
    <Disclosure summary={`Not checked: ${texts.length}`} open>
      <ul className="list-disc space-y-1 ps-5">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Disclosure>
  )
