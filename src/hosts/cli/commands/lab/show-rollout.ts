export async function showRollout(): Promise<number> {return 0;}
