//! The scenarios by their numbers, each on both stores. Numbers that are about the page, the engine's rows or
//! the draw are proved where those are; 39 comes with its game.

use crate::house::Kind;
use crate::script;

macro_rules! scenarios {
    ($($name:ident $text:literal)*) => {
        mod memory {
            $(#[tokio::test]
            async fn $name() {
                super::script::run($text, super::Kind::Memory).await;
            })*
        }

        mod redis {
            $(#[tokio::test]
            async fn $name() {
                super::script::run($text, super::Kind::Redis).await;
            })*
        }
    };
}

scenarios! {
    s1_both_ask_and_the_other_one_moves_first "
        table 0,0
        end G1 finished A
        A rematch        | A = ack 60; B: request G1 from A until 60
        B rematch        | B = start G2; A: start G2; B: start G2; viewers: next G2
        games 2
        game G2 first B series G1
        A rematch of G1  | A = closed
        A hello          | A = nothing"

    s2_the_third_game_alternates_again "
        table 0,0
        end G1 finished A
        A rematch        | A = ack 60; B: request G1 from A until 60
        B rematch        | B = start G2; A: start G2; B: start G2; viewers: next G2
        end G2 finished B
        B rematch        | B = ack 60; A: request G2 from B until 60
        A rematch        | A = start G3; A: start G3; B: start G3; viewers: next G3
        game G3 first A series G1+G2
        games 3"

    s3_two_clicks_are_a_request_and_its_acceptance "
        table 0,0
        end G1 finished A
        B rematch        | B = ack 60; A: request G1 from B until 60
        A rematch        | A = start G2; A: start G2; B: start G2; viewers: next G2
        sweep            |
        games 2"

    s4_asking_twice_asks_once "
        table 0,0
        end G1 finished A
        A rematch        | A = ack 60; B: request G1 from A until 60
        at 30            |
        A rematch        | A = ack 60
        at 59            |
        at 60            | A: ended G1 expired; B: ended G1 expired"

    s5_declined_is_the_end "
        table 0,0
        end G1 finished A
        A rematch        | A = ack 60; B: request G1 from A until 60
        B decline        | A: ended G1 declined; B: ended G1 declined
        A rematch        | A = closed
        B rematch        | B = closed
        games 1"

    s6_withdrawn_leaves_it_open "
        table 0,0
        end G1 finished A
        A rematch        | A = ack 60; B: request G1 from A until 60
        A decline        | A: ended G1 withdrawn; B: ended G1 withdrawn
        B rematch        | B = ack 60; A: request G1 from B until 60"

    s7_expired_leaves_it_open "
        table 0,0
        end G1 finished A
        A rematch        | A = ack 60; B: request G1 from A until 60
        at 60            | A: ended G1 expired; B: ended G1 expired
        at 61            |
        A rematch        | A = ack 121; B: request G1 from A until 121"

    s8_the_timer_is_faster_than_the_acceptance "
        table 0,0
        end G1 finished A
        A rematch        | A = ack 60; B: request G1 from A until 60
        clock 60
        sweep            | A: ended G1 expired; B: ended G1 expired
        B rematch        | B = ack 120; A: request G1 from B until 120
        games 1"

    s8_the_acceptance_is_faster_than_the_timer "
        table 0,0
        end G1 finished A
        A rematch        | A = ack 60; B: request G1 from A until 60
        clock 60
        B rematch        | B = ack 120; A: request G1 from B until 120; A: ended G1 expired; B: ended G1 expired
        sweep            |
        games 1"

    s8_an_acceptance_in_time_is_one "
        table 0,0
        end G1 finished A
        A rematch        | A = ack 60; B: request G1 from A until 60
        clock 59
        B rematch        | B = start G2; A: start G2; B: start G2; viewers: next G2
        at 60            |
        games 2"

    s9_the_one_who_is_asked_goes "
        table 0,0
        end G1 finished A
        A rematch        | A = ack 60; B: request G1 from A until 60
        B offline        | A: ended G1 offline; B: ended G1 offline
        B online
        B hello          | B = ended G1 offline
        B hello          | B = nothing
        A rematch        | A = ack 60; B: request G1 from A until 60"

    s10_the_one_who_is_asked_is_away "
        table 0,0
        end G1 finished A
        B offline
        A rematch        | A = offline; B: ended G1 offline
        B online
        B hello          | B = ended G1 offline
        A rematch        | A = ack 60; B: request G1 from A until 60"

    s11_who_asked_goes "
        table 0,0
        end G1 finished A
        A rematch        | A = ack 60; B: request G1 from A until 60
        A offline        | A: ended G1 offline; B: ended G1 offline
        B rematch        | B = offline; A: ended G1 offline
        A online
        A hello          | A = ended G1 offline
        B rematch        | B = ack 60; A: request G1 from B until 60"

    s12_a_reload_ends_nothing_and_a_leave_does "
        table 0,0
        end G1 finished A
        A rematch        | A = ack 60; B: request G1 from A until 60
        at 9             |
        B hello          | B = offer G1 from A until 60
        B shows          | B = requested until 60
        at 20            |
        B offline        | A: ended G1 offline; B: ended G1 offline"

    s13_one_tab_of_two_is_closed "
        table 0,0
        end G1 finished A
        B hello          | B = nothing
        A rematch        | A = ack 60; B: request G1 from A until 60
        at 30            |
        B hello          | B = offer G1 from A until 60
        B rematch        | B = start G2; A: start G2; B: start G2; viewers: next G2"

    s14_the_one_who_is_asked_searches "
        table 0,0
        end G1 finished A
        A rematch        | A = ack 60; B: request G1 from A until 60
        B search         | A: ended G1 left; B: ended G1 left
        A rematch        | A = closed
        A hello          | A = nothing"

    s15_who_asked_turns_to_another_game "
        table 0,0
        end G1 finished A
        A rematch        | A = ack 60; B: request G1 from A until 60
        A search         | A: ended G1 left; B: ended G1 left
        B rematch        | B = closed
        games 1"

    s14_an_old_search_that_comes_again_ends_nothing "
        table 0,0
        end G1 finished A
        A rematch        | A = ack 60; B: request G1 from A until 60
        A joined         |
        A opened -40     |
        B joined         |
        A shows          | A = waiting until 60
        A opened 0       | A: ended G1 left; B: ended G1 left"

    l14_an_id_stands_for_one_request "
        table 0,0
        end G1 finished A
        A rematch as x   | A = ack 60; B: request G1 from A until 60
        A decline as x   | A = INVALID_ARGUMENT
        A decline as y   | A: ended G1 withdrawn; B: ended G1 withdrawn
        A rematch as x   | A = ack 60
        A rematch as y   | A = INVALID_ARGUMENT
        A decline as y   |
        A shows          | A = available until 600
        B rematch        | B = ack 60; A: request G1 from B until 60"

    s16_a_search_before_anyone_asked_is_silent "
        table 0,0
        end G1 finished A
        B search         |
        A rematch        | A = closed
        games 1"

    s16_a_search_before_the_end_was_told_counts "
        table 0,0
        B search         |
        end G1 finished A
        A rematch        | A = closed"

    s17_ten_minutes_pass "
        table 0,0
        end G1 finished A
        at 599           |
        A shows          | A = available until 600
        at 600           |
        A shows          | A = nothing
        A rematch        | A = closed"

    s18_asked_in_the_last_minute "
        table 0,0
        end G1 finished A
        at 570           |
        A rematch        | A = ack 600; B: request G1 from A until 600
        at 600           | A: ended G1 closed; B: ended G1 closed
        B rematch        | B = closed
        games 1"

    s19_after_leaving "
        table 0,0
        end G1 left B
        A rematch        | A = closed
        B rematch        | B = closed
        B decline        |
        A shows          | A = nothing"

    s19_who_left_early_ends_it_for_all "
        table 0,0,0
        B leaves
        end G1 resigned A
        A rematch        | A = closed
        B rematch        | B = closed
        A shows          | A = nothing
        empty
        C rematch        | C = closed
        games 1"

    s20_after_time "
        table 0,0
        end G1 time A
        A rematch        | A = ack 60; B: request G1 from A until 60
        B rematch        | B = start G2; A: start G2; B: start G2; viewers: next G2
        game G2 first B series G1"

    s20_after_resigning "
        table 0,0
        end G1 resigned B
        B rematch        | B = ack 60; A: request G1 from B until 60
        A rematch        | A = start G2; A: start G2; B: start G2; viewers: next G2
        game G2 first B series G1"

    s21_after_a_crash "
        table 0,0
        end G1 crashed
        A rematch        | A = closed
        B rematch        | B = closed"

    s22_a_restart_while_a_request_stands "
        table 0,0
        end G1 finished A
        A rematch           | A = ack 60; B: request G1 from A until 60
        restart
        redis> B hello      | B = offer G1 from A until 60
        redis> B rematch    | B = start G2; A: start G2; B: start G2; viewers: next G2
        memory> B hello     | B = nothing
        memory> B shows     | B = available until 600
        memory> B rematch   | B = ack 60; A: request G1 from B until 60
        memory> A rematch   | A = start G2; A: start G2; B: start G2; viewers: next G2
        games 2"

    s22_an_emptied_store_is_rebuilt_by_the_first_ask "
        table 0,0
        end G1 finished A
        A rematch        | A = ack 60; B: request G1 from A until 60
        empty
        at 60            |
        A decline        |
        A rematch        | A = ack 120; B: request G1 from A until 120
        B rematch        | B = start G2; A: start G2; B: start G2; viewers: next G2
        game G2 first B series G1"

    s22_an_emptied_store_is_not_rebuilt_too_late "
        table 0,0
        end G1 finished A
        empty
        clock 600
        A rematch        | A = closed"

    s22_an_emptied_store_is_not_rebuilt_after_a_search "
        table 0,0
        end G1 finished A
        at 10
        B search
        empty
        A rematch        | A = closed"

    s22_an_emptied_store_undoes_no_next_game "
        table 0,0
        end G1 finished A
        A rematch        | A = ack 60; B: request G1 from A until 60
        B rematch        | B = start G2; A: start G2; B: start G2; viewers: next G2
        empty
        A rematch of G1  | A = closed
        end G2 finished A
        empty
        A rematch of G1  | A = closed
        A rematch        | A = ack 60; B: request G2 from A until 60
        games 2"

    s23_a_restart_during_the_next_game "
        table 0,0
        end G1 finished A
        A rematch        | A = ack 60; B: request G1 from A until 60
        B rematch        | B = start G2; A: start G2; B: start G2; viewers: next G2
        restart
        end G2 finished A
        A rematch        | A = ack 60; B: request G2 from A until 60
        B rematch        | B = start G3; A: start G3; B: start G3; viewers: next G3
        game G3 first A series G1+G2"

    s26_a_robot_accepts_at_once "
        table 0,3
        end G1 finished B
        A rematch        | A = start G2; A: start G2; viewers: next G2
        game G2 first B series G1
        end G2 finished B
        A rematch        | A = start G3; A: start G3; viewers: next G3
        game G3 first A series G1+G2"

    s27_nothing_to_decline_from_a_robot "
        table 0,3
        end G1 finished B
        A decline        |
        A rematch        | A = start G2; A: start G2; viewers: next G2"

    s28_a_stranger "
        table 0,0
        C rematch        | C = NOT_FOUND
        C decline        | C = NOT_FOUND
        A rematch        | A = GAME_IN_PROGRESS
        A decline        | A = GAME_IN_PROGRESS
        end G1 finished A
        C rematch        | C = NOT_FOUND
        A rematch        | A = ack 60; B: request G1 from A until 60
        C rematch        | C = NOT_FOUND
        C decline        | C = NOT_FOUND
        C hello          | C = nothing
        B rematch        | B = start G2; A: start G2; B: start G2; viewers: next G2"

    s29_the_game_before_the_last_one "
        table 0,0
        end G1 finished A
        A rematch        | A = ack 60; B: request G1 from A until 60
        B rematch        | B = start G2; A: start G2; B: start G2; viewers: next G2
        B rematch of G1  | B = closed
        end G2 finished A
        B rematch of G1  | B = closed
        A rematch        | A = ack 60; B: request G2 from A until 60
        games 2"

    s30_a_player_has_no_time "
        table 0,0
        end G1 finished A
        A rematch        | A = ack 60; B: request G1 from A until 60
        A busy
        B rematch        | B = closed; A: ended G1 closed
        B again          | B = closed
        games 1"

    s31_an_acceptance_is_sent_twice "
        table 0,0
        end G1 finished A
        A rematch        | A = ack 60; B: request G1 from A until 60
        A again          | A = ack 60
        B rematch        | B = start G2; A: start G2; B: start G2; viewers: next G2
        B again          | B = start G2
        A again          | A = ack 60
        games 2"

    s32_nothing_to_decline "
        table 0,0
        end G1 finished A
        B decline        |
        A rematch        | A = ack 60; B: request G1 from A until 60"

    s33_after_a_draw "
        table 0,0
        end G1 finished
        A rematch        | A = ack 60; B: request G1 from A until 60
        B rematch        | B = start G2; A: start G2; B: start G2; viewers: next G2
        game G2 first B series G1"

    s34_asking_again_and_again "
        table 0,0
        end G1 finished A
        A rematch        | A = ack 60; B: request G1 from A until 60
        A decline        | A: ended G1 withdrawn; B: ended G1 withdrawn
        A rematch        | A = ack 60; B: request G1 from A until 60
        A decline        | A: ended G1 withdrawn; B: ended G1 withdrawn
        A rematch        | A = ack 60; B: request G1 from A until 60
        A decline        | A: ended G1 withdrawn; B: ended G1 withdrawn
        A rematch        | A = ack 60; B: request G1 from A until 60
        A decline        | A: ended G1 withdrawn; B: ended G1 withdrawn
        A rematch        | A = ack 60; B: request G1 from A until 60
        A decline        | A: ended G1 withdrawn; B: ended G1 withdrawn
        A rematch        | A = RATE_LIMITED
        A rematch        | A = RATE_LIMITED
        at 59            |
        A rematch        | A = RATE_LIMITED
        at 60            |
        A rematch        | A = ack 120; B: request G1 from A until 120"

    s35_both_go_at_once "
        table 0,0
        end G1 finished A
        A rematch        | A = ack 60; B: request G1 from A until 60
        A offline        | A: ended G1 offline; B: ended G1 offline
        B offline        |
        at 300           |
        A online
        A hello          | A = ended G1 offline
        B online
        B hello          | B = ended G1 offline
        A hello          | A = nothing
        A rematch        | A = ack 360; B: request G1 from A until 360
        A decline        | A: ended G1 withdrawn; B: ended G1 withdrawn
        at 600           |
        A rematch        | A = closed
        games 1"

    s37_with_three_seats_all_must_accept "
        table 0,0,0
        end G1 finished A
        A rematch        | A = ack 60; B: request G1 from A until 60; C: request G1 from A until 60
        B rematch        | B = ack 60
        B hello          | B = offer G1 from A until 60
        B shows          | B = waiting until 60
        C shows          | C = requested until 60
        C rematch        | C = start G2; A: start G2; B: start G2; C: start G2; viewers: next G2
        game G2 first B series G1
        end G2 finished A
        C rematch        | C = ack 60; A: request G2 from C until 60; B: request G2 from C until 60
        A rematch        | A = ack 60
        B rematch        | B = start G3; A: start G3; B: start G3; C: start G3; viewers: next G3
        game G3 first C series G1+G2"

    s37_with_a_robot_in_the_third_seat "
        table 0,0,2
        end G1 finished C
        A rematch        | A = ack 60; B: request G1 from A until 60
        B rematch        | B = start G2; A: start G2; B: start G2; viewers: next G2
        game G2 first B series G1"

    s40_an_aborted_next_game_changes_nothing "
        table 0,0
        end G1 finished A
        A rematch        | A = ack 60; B: request G1 from A until 60
        B rematch        | B = start G2; A: start G2; B: start G2; viewers: next G2
        at 100
        abort G2
        B rematch of G2  | B = closed
        A rematch        | A = ack 160; B: request G1 from A until 160
        B rematch        | B = start G3; A: start G3; B: start G3; viewers: next G3
        game G3 first B series G1
        games 3"

    s40_an_abort_counts_from_its_own_end_also_when_all_is_lost "
        table 0,0
        end G1 finished A
        A rematch        | A = ack 60; B: request G1 from A until 60
        B rematch        | B = start G2; A: start G2; B: start G2; viewers: next G2
        at 900
        abort G2
        A shows          | A = available until 1500
        empty
        at 1000
        A rematch        | A = ack 1060; B: request G1 from A until 1060
        B rematch        | B = start G3; A: start G3; B: start G3; viewers: next G3
        game G3 first B series G1"

    s40_an_abort_and_a_search "
        table 0,0
        end G1 finished A
        A rematch        | A = ack 60; B: request G1 from A until 60
        B rematch        | B = start G2; A: start G2; B: start G2; viewers: next G2
        at 100
        abort G2
        B search         |
        A rematch        | A = closed"

    s41_two_tabs_show_the_same_deadline "
        table 0,0
        end G1 finished A
        A rematch        | A = ack 60; B: request G1 from A until 60
        A hello          | A = offer G1 from A until 60
        A shows          | A = waiting until 60
        at 5
        A hello          | A = offer G1 from A until 60
        A decline        | A: ended G1 withdrawn; B: ended G1 withdrawn"

    s42_one_of_three_says_no "
        table 0,0,0
        end G1 finished A
        A rematch        | A = ack 60; B: request G1 from A until 60; C: request G1 from A until 60
        B rematch        | B = ack 60
        C decline        | A: ended G1 declined; B: ended G1 declined; C: ended G1 declined
        A rematch        | A = closed
        B rematch        | B = closed"

    s43_an_older_request_ends_with_the_next_game "
        table 0,0
        end G1 finished A
        A rematch        | A = ack 60; B: request G1 from A until 60
        another
        at 30
        end G2 finished B | A: ended G1 left; B: ended G1 left
        B rematch of G1  | B = closed
        A hello          | A = nothing
        A rematch        | A = ack 90; B: request G2 from A until 90"
}
