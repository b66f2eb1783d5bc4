const postForm = 'app/ui/PostForm.tsx'

/**
 * Forms that post without `PostForm`. A second one, submitted during the first, would abort its
 * response, which may show a secret once.
 * @param sources the text of each component, by path
 */
export const postFormFaults = (sources: Readonly<Record<string, string>>): string[] =>
  Object.entries(sources).flatMap(([path, text]) =>
    path !== postForm && /<Form\b[^<]*\bmethod="post"/.test(text)
      ? [`${path} posts with Form, not with PostForm.`]
      : [],
  )
