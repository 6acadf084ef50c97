"""What tests drive and share: the program, terminals, screens, servers, random rulebooks."""
