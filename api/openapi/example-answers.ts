import answers from './example-answers.json' with { type: 'json' };

/**
 * Answers to the examples of the endpoints, by operationId, as the system gave them. With WAYBILL_EXAMPLE_ANSWERS set to the
 * path of the file, the test that plays the examples (test/api/ground/openapi-story.test.ts) writes them anew.
 */
export const EXAMPLE_ANSWERS: Readonly<Record<string, unknown>> = answers;
