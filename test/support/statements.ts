/** Does this statement call this SQL function? */
export const calls = ({ text }: { readonly text: string }, sqlFunction: string): boolean => text.includes(`${sqlFunction}(`);
