import answers from './example-answers.json' with { type: 'json' };

/** Answers to the examples of the endpoints, by operationId, as the system gave them. */
export const EXAMPLE_ANSWERS: Readonly<Record<string, unknown>> = answers;
